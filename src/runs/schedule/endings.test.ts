import { describe, expect, it } from "vitest";
import { Endings } from "./endings.ts";
import type { Lease } from "./engine.ts";
import type { RunWork } from "./scheduler-ports.ts";

const lease: Lease = { runId: "run-1", projectId: "shop", priority: 0, epoch: 1 };

/** What is asked of the engine and the settlement, in order, with a lease that is held or lost. */
function endingsWith(isHeld: boolean) {
  const asked: string[] = [];
  const answer = <Value>(what: string, value: Value) => {
    asked.push(what);
    return Promise.resolve(value);
  };
  const endings = new Endings(
    {
      engine: {
        renew: () => answer("renew", isHeld),
        settle: () => answer("settle", isHeld),
        release: () => answer("release", isHeld),
      } as never,
      onEnded: () => answer("ended", undefined),
      onCrashed: () => answer("crashed", 3),
      onWait: () => undefined,
      onTrouble: (_, error) => {
        throw error;
      },
    },
    new AbortController().signal,
  );
  return { asked, endings };
}

const workIn = (state: RunWork["state"]) => ({ lease, state }) as RunWork;

describe("the end of a run", () => {
  it("is settled only while its lease is held", async () => {
    const { asked, endings } = endingsWith(true);
    await endings.end(lease, { status: "cancelled", error: "It was stopped." });
    expect(asked).toEqual(["renew", "ended", "settle"]);
  });

  it("leaves everything to the new holder when the lease is lost", async () => {
    const { asked, endings } = endingsWith(false);
    await endings.end(lease, { status: "cancelled", error: "It was stopped." });
    expect(asked).toEqual(["renew"]);
  });

  it.each([
    ["its process crashed for the third time", "working", ["crashed", "renew"]],
    ["it was cancelled and its process is gone", "cancelling", ["renew"]],
  ] as const)("leaves everything to the new holder when %s", async (_, kind, expected) => {
    const { asked, endings } = endingsWith(false);
    const state = kind === "cancelling" ? { kind, reason: "It was stopped." } : { kind };
    await endings.recover(workIn(state), { kind: "crashed", cause: "signal SIGKILL", expected: false });
    expect(asked).toEqual(expected);
  });
});
