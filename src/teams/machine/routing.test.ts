import { describe, expect, it } from "vitest";
import { PlayedWorld, plannedTask as task, teamPlan } from "../../../test/fakes/team-world.ts";
import { codename } from "./codenames.ts";
import { canWorkTogether, filesOverlap } from "./file-overlap.ts";
import { planOrder } from "./plan-graph.ts";
import { routeOf } from "./routing.ts";
import { chooseStrategy } from "./strategy.ts";

describe("routing", () => {
  it("always gives ux_design to a head with the best model [S1-RT-03]", () => {
    for (const strategy of ["single", "flat", "managed"] as const)
      expect(routeOf(task("a", { domain: "ux_design" }), strategy).rank).toBe("head");
    const world = new PlayedWorld();
    Object.assign(world.settings, { topModel: "own/best" });
    world.plan([task("a", { domain: "ux_design", requirements: ["REQ-001"], criteria: ["REQ-001.1"] }), task("b")]);
    const models = world.facts.flatMap((fact) => (fact.type === "task-started" ? [[fact.key, fact.model]] : []));
    expect(models).toEqual([["a", "own/best"]]);
    world.merge("a");
    expect(world.facts.at(-1)).toMatchObject({ type: "task-started", key: "b" });
    expect(world.facts.at(-1)).not.toHaveProperty("model");
  });

  it("gives reviews to reviewers and the rest to workers by default [S1-RT-04] [S1-RT-05]", () => {
    expect(routeOf(task("a", { domain: "review" }), "flat").rank).toBe("reviewer");
    for (const domain of ["frontend", "backend", "search", "research", "other"] as const)
      expect(routeOf(task("a", { domain }), "single").rank).toBe("worker");
    expect(routeOf(task("a", { domain: "backend" }), "flat").rank).toBe("head");
  });

  it("names members uniquely in a team, and the same way each time [S1-ROLE-11]", () => {
    const names = new Set<string>();
    for (let at = 0; at < 200; at++)
      names.add(codename(at % 2 === 0 ? "head" : "worker", { seed: "team-1", taken: names }));
    expect(names.size).toBe(200);
    const places = Array.from(names, (name) => name.replace(/^(head|worker)-/, ""));
    expect(new Set(places).size).toBe(200);
    expect(codename("head", { seed: "team-1", taken: new Set() })).toBe([...names][0]);
    expect([...names][0]).toMatch(/^head-[a-z]+$/);
  });
});

describe("files", () => {
  it.each([
    [["src/a.ts"], ["src/a.ts"], true],
    [["src/a.ts"], ["src/b.ts"], false],
    [["src"], ["src/deep/b.ts"], true],
    [["src/"], ["SRC/b.ts"], true],
    [["./src/a.ts"], ["src/a.ts"], true],
    [["src/**"], ["src/x/y.ts"], true],
    [["src/*.ts"], ["src/x/y.ts"], false],
    [["**/*.css"], ["web/theme.css"], true],
    [["**/*.css"], ["web/theme.ts"], false],
    [["**/*.css"], ["web/**"], true],
    [["src/*/index.ts"], ["src/**/main.ts"], false],
    [["src/a*.ts"], ["src/*b.ts"], true],
    [["src/a*.ts"], ["src/b*.ts"], false],
    [["src/{a,b}.ts"], ["src/a.ts"], true],
    [["src/{a/x,b}.ts"], ["src/a/x.ts"], true],
    [["docs/*.md", "src/a.ts"], ["src/?.ts"], true],
  ])("tells whether %j and %j overlap: %j", (one, other, expected) => {
    expect(filesOverlap(one, other)).toBe(expected);
    expect(filesOverlap(other, one)).toBe(expected);
  });

  it("keeps two tasks with unknown files apart", () => {
    expect(canWorkTogether([], [])).toBe(false);
    expect(canWorkTogether([], ["a"])).toBe(true);
  });
});

describe("the plan", () => {
  it("orders tasks by what they wait for, and loses none that wait for each other", () => {
    const chain = [task("c", { dependsOn: ["b"] }), task("b", { dependsOn: ["a"] }), task("a")];
    expect(planOrder(chain)).toEqual(["a", "b", "c"]);
    const circle = [task("x", { dependsOn: ["z"] }), task("z", { dependsOn: ["x"] }), task("a")];
    expect(planOrder(circle)).toEqual(["a", "x", "z"]);
  });

  const many = (count: number, more = {}) => Array.from({ length: count }, (_, at) => task(`t${at}`, more));

  it.each([
    ["one task", many(1), "single"],
    ["two that are apart", many(2), "single"],
    ["three that are apart", many(3), "flat"],
    ["three in the same file", many(3, { files: ["a"] }), "single"],
    ["three with unknown files", many(3, { files: [] }), "single"],
    ["three in a row", many(3).map((one, at) => ({ ...one, dependsOn: at === 0 ? [] : [`t${at - 1}`] })), "single"],
    ["nine that are apart", many(9), "managed"],
    [
      "two domains",
      many(6).map((one, at) => ({ ...one, domain: at < 3 ? ("backend" as const) : ("frontend" as const) })),
      "managed",
    ],
  ])("chooses how many work at once for %s, by figures", (_, tasks, expected) => {
    const { value, because } = chooseStrategy(teamPlan(tasks));
    expect(value).toBe(expected);
    const figures = tasks.length === 1 ? "has one task" : `of ${tasks.length} tasks change different files`;
    expect(because).toContain(figures);
  });

  it("leaves the choice to the person", () => {
    expect(chooseStrategy(teamPlan(many(1)), "managed").value).toBe("managed");
  });
});
