import { describe, expect, it } from "vitest";
import { PlayedWorld, plannedTask as task, teamPlan, teamSpec } from "../../../test/fakes/team-world.ts";
import type { PlannedTask } from "../../contract/documents/teams/team-plan.ts";
import { owed } from "./owed.ts";
import { routesOf } from "./routing.ts";
import type { TeamFact } from "./team-facts.ts";

const covering = { requirements: ["REQ-001"], criteria: ["REQ-001.1"] };
const docs = { type: "docs" as const };

/** Tasks that wait for each other, so that one worker does them in turn. */
function chain(tasks: PlannedTask[], { innerLoop = true } = {}): PlayedWorld {
  const world = new PlayedWorld();
  world.roleSpec = (key) => {
    const { prefix = "" } = world.state.tasks.get(key) ?? {};
    return { name: `dev-${prefix.toLowerCase()}`, prefix, innerLoop, subagents: [] };
  };
  const linked = tasks.map((one, at) => ({
    ...one,
    dependsOn: tasks.slice(Math.max(0, at - 1), at).map(({ key }) => key),
  }));
  world.plan(linked);
  return world;
}

const startsIn = (world: PlayedWorld) =>
  world.facts
    .filter((fact) => fact.type === "task-started")
    .map(({ key, member, after }) => [key, member, after === undefined ? "" : `${after.as} ${after.key}`]);

describe("the worker that does every task of a team", () => {
  it("takes tasks of its prefix only, and another joins for each other prefix [S2-TPL-04] [S2-W-01]", () => {
    const world = chain([task("a", covering), task("b", docs), task("c")]);
    for (const key of ["a", "b", "c"]) world.merge(key);
    const [first, second, third] = startsIn(world).map(([, member]) => member);
    expect(first).toBe(third);
    expect(second).not.toBe(first);
    expect([...world.state.tasks.values()].map(({ prefix }) => prefix)).toEqual(["IMPL", "DRAFT", "IMPL"]);
  });

  it("continues with the next task of its prefix, and finishes after the last [S2-TPL-05] [S2-W-05]", () => {
    const world = chain([task("a", covering), task("b"), task("c")]);
    const name = world.state.tasks.get("a")?.member ?? "";
    for (const key of ["a", "b", "c"]) world.merge(key);
    expect(startsIn(world)).toEqual([
      ["a", name, ""],
      ["b", name, "loop a"],
      ["c", name, "loop b"],
    ]);
    expect(world.facts.filter(({ type }) => type === "member-finished")).toEqual([
      { type: "member-finished", name, prefix: "IMPL", tasks: ["a", "b", "c"] },
    ]);
  });

  it("finishes after each task where its role-spec has no inner loop, and the hall starts what became ready [S2-W-02]", () => {
    const world = chain([task("a", covering), task("b")], { innerLoop: false });
    world.merge("a");
    const name = world.state.tasks.get("a")?.member ?? "";
    expect(world.types().slice(-3)).toEqual(["task-merged", "member-finished", "task-started"]);
    expect(startsIn(world).at(-1)).toEqual(["b", name, "successor a"]);
    expect(owed(world.state, world)).toEqual([]);
    expect(world.working()).toEqual(["b"]);
  });

  it("keeps the role-spec that its run was started with, whatever the file says since", () => {
    const world = chain([task("a", covering), task("b")]);
    world.roleSpec = () => ({ name: "dev-impl", prefix: "IMPL", innerLoop: false, subagents: ["oracle"] });
    world.settle();
    expect(world.state.tasks.get("a")?.roleSpec).toMatchObject({ innerLoop: true, subagents: [] });
    world.merge("a");
    expect(world.state.tasks.get("b")?.roleSpec).toMatchObject({ innerLoop: false, subagents: ["oracle"] });
  });

  it("gives a task whose run is gone to someone again once; then it is a failure like any other", () => {
    const world = chain([task("a", covering)]);
    const [first] = world.state.tasks.get("a")?.runIds ?? [];
    world.fail("a", { cause: "crashed" });
    expect(world.state.tasks.get("a")).toMatchObject({ state: "working", failures: 0, orphaned: 1 });
    expect(world.facts.filter(({ type }) => type === "task-orphaned")).toMatchObject([{ key: "a", runId: first }]);
    world.fail("a", { cause: "crashed" });
    expect(world.state.tasks.get("a")).toMatchObject({ state: "working", failures: 1, orphaned: 1 });
  });

  it("owes the same run of a task until it is there", () => {
    const world = chain([task("a", covering)]);
    const { runId = "" } = world.state.tasks.get("a") ?? {};
    world.runs.delete(runId);
    world.state = world.refold();
    world.settle();
    expect(world.runs.has(runId)).toBe(true);
    expect(startsIn(world)).toHaveLength(1);
  });

  it("has what it broke fixed under the same prefix and by the same member", () => {
    const world = chain([task("a", { ...covering, ...docs })]);
    world.isMet = false;
    world.merge("a");
    world.judgeWhole("pass");
    const { member } = world.state.tasks.get("a") ?? {};
    expect(world.state.tasks.get("fix-1-1")).toMatchObject({ prefix: "DRAFT", member, state: "working" });
  });
});

describe("a session that is carried out", () => {
  const plan = teamPlan([task("impl-1", covering), task("move-1", { dependsOn: ["impl-1"] })]);
  const imported: TeamFact = {
    ...{ type: "session-imported", by: "person", spec: teamSpec(), plan },
    strategy: { value: "single", because: "as in the session" },
    routes: routesOf(plan, "single"),
    roleSpecs: [
      { name: "builder", prefix: "IMPL" },
      { name: "mover", prefix: "MOVE" },
    ],
  };

  it("begins with the work: no lead writes a spec or a plan, and nobody is asked [S2-REL-08]", () => {
    const world = new PlayedWorld();
    world.append({ type: "formed" }, imported);
    world.settle();
    expect(world.working()).toEqual(["impl-1"]);
    expect(world.types().filter((type) => type === "lead-started" || type === "asked")).toEqual([]);
    expect([...world.state.tasks.values()].map(({ prefix }) => prefix)).toEqual(["IMPL", "MOVE"]);
    world.merge("impl-1");
    world.merge("move-1");
    world.judgeWhole("pass");
    expect(world.state.status).toBe("synthesizing");
    expect(world.refold()).toEqual(world.state);
  });

  it("has its branch made before the first run", () => {
    const world = new PlayedWorld();
    world.append({ type: "formed" }, imported);
    world.settle(5);
    const effects = owed(world.state, world).map((effect) => effect.do);
    expect(effects.slice(0, 2)).toEqual(["branch", "work"]);
  });
});
