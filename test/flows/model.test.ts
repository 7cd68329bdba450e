import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assertIndexEqualsRebuild } from "../faults/whole-workspace.ts";
import { expected, type Model } from "../generated/model.ts";
import { type Choice, type Pair, rushed, steps } from "../generated/steps.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";

const settings = {
  seed: Number(process.env.GUILDHALL_SEED ?? 20_261_115),
  numRuns: Number(process.env.GUILDHALL_RUNS ?? 10),
};
const LONGEST = Number(process.env.GUILDHALL_STEPS ?? 16);

describe("any sequence of changes by API, by hand and by restart", () => {
  it("leaves the hall as a model of it says", { timeout: 600_000 }, async () => {
    const names = Object.keys(steps);
    const choice = fc.nat(999);
    const step = fc.record({
      name: fc.constantFrom(...names),
      a: choice,
      b: choice,
      c: choice,
      isRushed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: LONGEST, size: "max" }), async (sequence) =>
        walk(sequence),
      ),
      settings,
    );
  });
});

async function walk(sequence: readonly ({ name: string; isRushed: boolean } & Choice)[]): Promise<void> {
  const pair = await furnished();
  try {
    for (const { name, isRushed, ...choice } of sequence) {
      await steps[name]?.(pair, choice);
      if (!(isRushed && rushed.has(name))) await expectAgreement(pair, name);
    }
    await expectAgreement(pair, "everything");
    await everythingNoticed(pair.hall);
    expect((await pair.hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
    await assertIndexEqualsRebuild(pair.hall);
  } finally {
    await pair.hall.stop();
  }
}

/** A hall with a project, two roles and a few tasks to begin with. */
async function furnished(): Promise<Pair> {
  const workspace = join(temporaryFolder(), "workspace");
  const model: Model = { roles: new Map(), projects: new Map() };
  const pair: Pair = {
    hall: await startHall(workspace),
    model,
    restart: async (between) => {
      await pair.hall.stop();
      between?.();
      pair.hall = await startHall(workspace);
    },
  };
  await steps.addProject?.(pair, { a: 0, b: 0, c: 0 });
  for (const a of [0, 1]) await steps.addRole?.(pair, { a, b: 0, c: 0 });
  for (const a of [0, 1, 2]) await steps.addTask?.(pair, { a, b: a, c: 0 });
  return pair;
}

/** What was done by hand is seen after a moment; then everything agrees, and the files lie where they should. */
async function expectAgreement({ hall, model }: Pair, after: string): Promise<void> {
  const wanted = expected(model);
  const found = await eventually(
    () => observe(hall),
    (seen) => isDeepStrictEqual(seen, wanted),
    3_000,
  ).catch(() => observe(hall));
  expect(found, `after ${after}`).toEqual(wanted);
}

/** Changes made by hand are noticed in their order, so that the last one speaks for all. */
async function everythingNoticed(hall: Hall): Promise<void> {
  writeFileSync(join(hall.workspace, "knowledge/last.md"), "# Lastly\n");
  await eventually(
    async () => (await hall.call("GET", "/api/search?q=lastly")).body.hits,
    (hits) => hits.length === 1,
  );
}

async function observe(hall: Hall): Promise<ReturnType<typeof expected>> {
  const get = async <const Path extends string>(path: Path) => (await hall.call("GET", path)).body;
  const [{ projects }, { tasks, invalid }, { roles }] = await Promise.all([
    get("/api/projects?limit=1000"),
    get("/api/tasks?limit=1000"),
    get("/api/roles?limit=1000"),
  ]);
  const only =
    <Name extends string>(...names: Name[]) =>
    <From extends Record<Name, unknown>>(from: From) =>
      Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
  return {
    projects: projects.map(only("id", "status", "teamSize", "taskCount")),
    tasks: tasks.map(
      only("projectId", "id", "title", "priority", "status", "path", "blockedBy", "blocks", "waitingOn", "ready"),
    ),
    broken: invalid.map((problem) => `${problem.projectId} ${problem.id}`).sort(),
    roles: roles.map(only("id", "name", "version")),
  };
}
