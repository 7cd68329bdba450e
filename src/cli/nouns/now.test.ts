import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const today = { costUsd: 0.16, costKnown: false, tokens: 9, runs: 1, completed: 0, failed: 1, stopped: 0, dayUsd: 25 };
const none = { needsMe: 0, review: 0, running: 0, pending: 0, waiting: 0, projects: 1 };
const empty = { seq: 1, needsMe: [], review: [], working: [], done: [], counts: none, today };
const failed = {
  ...{ kind: "failed", id: "run-1", projectId: "shop", title: "Fix 🍵 it", detail: "401. Update the key, then retry." },
  ...{ hint: "x", hintAction: { action: "key-update", args: { provider: "work" } } },
};

describe("now", () => {
  it("shows what needs the person, with the command that helps", async () => {
    const { out, code } = await runCli(["now"], () =>
      ok({ ...empty, needsMe: [failed], counts: { ...none, needsMe: 12 } }),
    );
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "0 agents running, 0 queued, 0 waiting · ≈ $0.1600 of $25.00 spent today",
        "",
        "Needs you (12)",
        "  Fix 🍵 it  Failed  shop · run-1",
        "    401. Update the key, then retry. Update it with 'guildhall key set work'.",
        "  and 11 more",
        "",
      ].join("\n"),
    );
  });

  it("calls a permission request what it is", async () => {
    const asked = { kind: "escalation", id: "esc-001", title: "Run ls?", detail: "coder asks before it uses exec." };
    const { out } = await runCli(["now"], () => ok({ ...empty, needsMe: [{ ...asked, origin: "permission" }] }));
    expect(out).toContain("  Run ls?  Permission  esc-001\n    coder asks before it uses exec.");
  });

  it("says when there is nothing to do, and is the API's answer with --json", async () => {
    expect((await runCli(["now"], () => ok(empty))).out).toContain("You're all caught up.");
    expect(JSON.parse((await runCli(["now", "--json"], () => ok(empty))).out)).toEqual(empty);
  });
});
