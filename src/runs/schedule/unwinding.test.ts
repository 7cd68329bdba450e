import { describe, expect, it } from "vitest";
import type { Stretch } from "../results/agent-changes.ts";
import { planRollback } from "./unwinding.ts";

const stretch = (before: string | undefined, after: string | undefined, more: Partial<Stretch> = {}): Stretch => ({
  ...{ before, after, from: 0, until: 1, runs: ["run-1"], isDone: true },
  ...more,
});

function plan(now: string | undefined, stretches: Stretch[]) {
  return planRollback(new Map([["a", stretches]]), () => now, { has: () => true });
}

describe("taking changes back", () => {
  it("goes through every run that changed the file, the last first", () => {
    expect(plan("f 3", [stretch("f 1", "f 2"), stretch("f 2", "f 3")])).toEqual({
      moves: [{ path: "a", from: "f 3", to: "f 1" }],
      left: [],
    });
  });

  it("stops at what a person did in between, and says so", () => {
    const { moves, left } = plan("f 4", [stretch("f 1", "f 2"), stretch("f 3", "f 4")]);
    expect(moves).toEqual([{ path: "a", from: "f 4", to: "f 3" }]);
    expect(left).toEqual([{ path: "a", reason: expect.stringContaining("in between") }]);
  });

  it("leaves what a person did last", () => {
    expect(plan("f 9", [stretch("f 1", "f 2")])).toEqual({
      moves: [],
      left: [{ path: "a", reason: expect.any(String) }],
    });
    expect(plan(undefined, [stretch("f 1", "f 2")]).moves).toEqual([]);
  });

  it("has nothing to do where it was done by hand, or by an earlier rollback", () => {
    expect(plan("f 1", [stretch("f 1", "f 2")])).toEqual({ moves: [], left: [] });
    expect(plan("f 1", [stretch("f 1", "f 2"), stretch("f 2", "f 1", { runs: [] })])).toEqual({ moves: [], left: [] });
  });

  it("finishes a rollback that had removed a folder and not yet put the file in its place", () => {
    const history = [stretch("f 1", "d 755"), stretch("d 755", "f 1", { runs: [], isDone: false })];
    expect(plan(undefined, history).moves).toEqual([{ path: "a", from: undefined, to: "f 1" }]);
    expect(plan(undefined, history.slice(0, 1)).moves).toEqual([]);
  });

  it("leaves what was not kept, and what is lost", () => {
    expect(plan("f 2", [stretch("x 644 9 9", "f 2")]).left).toEqual([
      { path: "a", reason: "its content was not saved" },
    ]);
    const lost = planRollback(new Map([["a", [stretch("f 1", "f 2")]]]), () => "f 2", { has: () => false });
    expect(lost).toEqual({ moves: [], left: [{ path: "a", reason: "its content is lost" }] });
  });
});
