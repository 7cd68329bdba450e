import { describe, expect, it } from "vitest";
import { type Grant, Grants } from "../../contract/documents/permission.ts";
import { coveringGrants, type PlacedCall } from "./coverage.ts";
import { decide } from "./decide.ts";

const NOON = new Date("2026-11-16T12:00:00.000Z");
const exec = (command: string, more: Partial<PlacedCall> = {}): PlacedCall => ({
  ...{
    tool: "exec",
    input: JSON.stringify({ command }),
    projectId: "shop",
    roleId: "coder",
    runId: "run-1",
    callId: "c1",
  },
  ...more,
});
const grant = (scope: Grant["scope"], commands: string[], more: Partial<Grant> = {}): Grant => ({
  ...{ id: "grant-001", scope, rule: { tool: "exec", commands }, projectId: "shop", roleId: "coder", runId: "run-1" },
  ...{ callId: "c0", from: "esc-001", createdAt: NOON.toISOString() },
  ...more,
});
const covers = (grants: Grant[], call: PlacedCall) => coveringGrants(grants, call, NOON)?.map(({ id }) => id);

describe("grants that cover a call", () => {
  it("are, of once, those given for that very call of that run", () => {
    const once = grant("once", ["ls"], { callId: "c1" });
    expect(covers([once], exec("ls"))).toEqual(["grant-001"]);
    for (const other of [{ callId: "c2" }, { runId: "run-2" }, { tool: "write" }])
      expect(covers([once], exec("ls", other))).toBeUndefined();
  });

  it("are, of the others, those of the run, or of the role in the project, that have not expired", () => {
    const later = { runId: "run-2", callId: "c9" };
    expect(covers([grant("run", ["ls"])], exec("ls", { callId: "c9" }))).toBeDefined();
    expect(covers([grant("run", ["ls"])], exec("ls", later))).toBeUndefined();
    expect(covers([grant("always", ["ls"])], exec("ls", later))).toBeDefined();
    for (const other of [{ projectId: "blog" }, { roleId: "tester" }])
      expect(covers([grant("always", ["ls"])], exec("ls", { ...later, ...other }))).toBeUndefined();
    const until = (time: string) => grant("hour", ["ls"], { expiresAt: `2026-11-16T${time}.000Z` });
    expect(covers([until("12:00:01")], exec("ls", later))).toBeDefined();
    expect(covers([until("12:00:00")], exec("ls", later))).toBeUndefined();
    expect(covers([grant("hour", ["ls"])], exec("ls", later))).toBeUndefined();
  });

  it("are, of a limited time, none that began in the future or would last longer than is possible", () => {
    const timed = (createdAt: string, expiresAt: string) => grant("hour", ["ls"], { createdAt, expiresAt });
    const call = exec("ls", { callId: "c9" });
    // The clock was set back by a day; or a little, as clocks are all the time.
    expect(covers([timed("2026-11-17T12:00:00.000Z", "2026-11-17T13:00:00.000Z")], call)).toBeUndefined();
    expect(covers([timed("2026-11-16T12:01:00.000Z", "2026-11-16T13:01:00.000Z")], call)).toBeDefined();
    expect(covers([timed("2026-11-16T03:59:00.000Z", "2099-01-01T00:00:00.000Z")], call)).toBeUndefined();
    expect(covers([timed("2026-11-16T04:01:00.000Z", "2099-01-01T00:00:00.000Z")], call)).toBeDefined();
  });

  it("can't share an id: which one is revoked would be unclear", () => {
    expect(Grants.safeParse({ grants: [grant("always", ["ls"]), grant("run", ["id"])] }).success).toBe(false);
  });

  it("are several where each part of a command was allowed by one of them", () => {
    const both = [grant("always", ["ls"]), grant("always", ["pwd"], { id: "grant-002" })];
    expect(covers(both, exec("ls && pwd", { callId: "c9" }))).toEqual(["grant-001", "grant-002"]);
    expect(covers(both, exec("ls && pwd && id", { callId: "c9" }))).toBeUndefined();
    expect(covers(both, exec("ls | pwd", { callId: "c9" }))).toBeUndefined();
  });
});

describe("what becomes of a call", () => {
  const by = [grant("always", ["ls"])];
  const request = (more: object) => ({
    ...{ id: "esc-001", status: "resolved" as const, outcome: "answered" as const, question: "Run ls?" },
    ...{ answer: "once", resolution: "Allowed once.", resolvedBy: "person" },
    ...more,
  });
  const known = { request: undefined, covering: undefined, brought: undefined };

  it.each([
    ["asked about where nothing is known", known, { kind: "ask" }],
    ["allowed by a grant", { ...known, covering: by }, { kind: "allowed", by }],
    [
      "refused where its request was deleted",
      { ...known, covering: by, brought: "Gone." },
      { kind: "refused", reason: "Gone." },
    ],
    [
      "left waiting while its request is open, whatever was granted",
      { ...known, covering: by, request: request({ status: "pending" }) },
      { kind: "waits" },
    ],
    [
      "allowed when it was answered so",
      { ...known, covering: by, request: request({}) },
      { kind: "allowed", by, remark: undefined },
    ],
    [
      "allowed with the person's words",
      { ...known, covering: by, request: request({ resolution: "Go." }) },
      { kind: "allowed", by, remark: "Remark by the person on this call: Go." },
    ],
  ])("is %s", (_, given, wanted) => {
    expect(decide(given)).toEqual(wanted);
  });

  it.each([
    ["no", { answer: "no", resolution: "Never." }, "Never."],
    ["a dismissal", { outcome: "dismissed" as const, answer: null, resolution: "Not now." }, "Not now."],
    ["words without a label", { answer: null, resolution: "yes" }, "refused"],
    ["a label that is none", { answer: "yes" }, "refused"],
    ["a withdrawal", { outcome: "withdrawn" as const, answer: null, resolution: "Stopped." }, "withdrawn"],
  ])("is refused after %s, even where a grant covers it", (_, more, words) => {
    expect(decide({ ...known, covering: by, request: request(more) })).toEqual({
      kind: "refused",
      reason: expect.stringContaining(words),
    });
  });

  it("is refused where the permission ended before it ran", () => {
    expect(decide({ ...known, request: request({}) })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("revoked or expired"),
    });
  });
});
