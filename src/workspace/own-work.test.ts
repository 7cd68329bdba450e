import { describe, expect, it } from "vitest";
import type { Actor } from "../contract/event.ts";
import type { RunTable } from "../store/index/run-table.ts";
import { assertMayDecide, isOwnWork } from "./own-work.ts";

const ROBOT: Actor = { kind: "client", id: "robot", via: "http" };
const OTHER: Actor = { kind: "client", id: "other", via: "http" };
const PERSON: Actor = { kind: "person", via: "http" };
const DAEMON: Actor = { kind: "daemon", via: "daemon" };
const agent = (id: string): Actor => ({ kind: "agent", id, via: "daemon" });

/** robot started `root`, which started `child`, which started `leaf`; the person started `else`. */
const known: Record<string, { by: Actor; clients?: string[]; parentRunId?: string }> = {
  root: { by: ROBOT },
  child: { by: agent("root"), parentRunId: "root" },
  leaf: { by: agent("child"), parentRunId: "child" },
  else: { by: PERSON },
  /** The daemon started it: for a team of robot's, or to improve its result. */
  member: { by: DAEMON, clients: ["robot"] },
};
const runs = {
  get: (id: string) => known[id] && { ...known[id], run: { id, parentRunId: known[id].parentRunId } },
} as unknown as RunTable;
const mayDecide = (actor: Actor, id: string) => {
  try {
    assertMayDecide(actor, { id, projectId: "shop" }, runs);
    return true;
  } catch {
    return false;
  }
};

describe("a decision about a result", () => {
  it("is open to the person for all, to a client for what it has no part in, and to no agent", () => {
    const ids = Object.keys(known);
    const decidable = (actor: Actor) => ids.filter((id) => mayDecide(actor, id));
    expect(decidable(PERSON)).toEqual(ids);
    expect(decidable(ROBOT)).toEqual(["else"]);
    expect(decidable(OTHER)).toEqual(ids);
    for (const nobody of [agent("root"), agent("else"), agent("main"), DAEMON]) expect(decidable(nobody)).toEqual([]);
  });

  it("is about one's own work for an agent in the line of the run, above or below it", () => {
    const own = (id: string) => Object.keys(known).filter((other) => isOwnWork(agent(id), other, runs));
    expect(own("child")).toEqual(["root", "child", "leaf"]);
    expect(own("else")).toEqual(["else"]);
  });
});
