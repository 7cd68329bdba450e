import { expect, it } from "vitest";
import { DEFAULT_DECISIONS } from "../../contract/documents/decision-policy.ts";
import type { Asker } from "../../contract/documents/escalation.ts";
import { reviewerSteps } from "./path.ts";

const asker = (kind: Asker["kind"]): Asker => ({ kind, waits: false, askedAt: "2026-11-16T12:00:00.000Z" });
const steps = (kind: Asker["kind"], { path = DEFAULT_DECISIONS.path, had = [] as string[] } = {}) =>
  reviewerSteps({ ...DEFAULT_DECISIONS, path }, { askers: [asker(kind)], escalationPath: [kind, ...had] });

it("passes the agents above the asker, in the order of the policy", () => {
  expect(steps("run")).toEqual(["project", "main"]);
  expect(steps("project")).toEqual(["main"]);
  expect(steps("main")).toEqual([]);
  expect(steps("client")).toEqual(["main"]);
  expect(steps("person")).toEqual(["main"]);
});

it("follows a path that was edited, skips ranks that don't exist, and asks no one twice", () => {
  expect(steps("run", { path: ["run", "head", "lead", "main", "person"] })).toEqual(["main"]);
  expect(steps("run", { path: ["person"] })).toEqual([]);
  expect(steps("run", { had: ["project:shop"] })).toEqual(["main"]);
});
