import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { commit } from "./core.ts";
import { openHall } from "./open-hall.ts";

const draft = {
  type: "task.updated" as const,
  actor: { kind: "person" as const, via: "http" as const },
  subject: { kind: "task" as const, id: "TASK-001" },
};

it("has whoever heard of a change wait until the index shows it, and nobody for one that failed", async () => {
  const clock = () => new Date("2026-11-15T12:00:00Z");
  const { core, close } = await openHall({ workspace: temporaryFolder(), clock, version: "0" });
  onTestFinished(close);
  const { promise: synced, resolve: sync } = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  onTestFinished(core.events.subscribe(() => heard.resolve()));
  const steps: string[] = [];
  const change = commit(core, draft, () => steps.push("shown"), { durable: () => synced });
  await heard.promise;
  const asked = core.shown.caughtUp().then(() => steps.push("answered"));
  expect(steps).toEqual([]);
  sync();
  await Promise.all([change, asked]);
  expect(steps).toEqual(["shown", "answered"]);
  const failing = commit(core, draft, () => undefined, { durable: () => Promise.reject(new Error("disk")) });
  await expect(failing).rejects.toThrow("did not confirm");
  await core.shown.caughtUp();
});
