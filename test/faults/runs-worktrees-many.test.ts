import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { dirtyCheckout } from "../harness/dirty-checkout.ts";
import { hallOver, writing } from "../harness/repository.ts";
import { branchOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall } from "./crashing-hall.ts";
import { isThorough } from "./sampled.ts";

const RUNS = isThorough ? 20 : 10;
const git = (text: string, when: CrashPoint["when"]): CrashPoint => ({ victim: "daemon", file: "^git$", text, when });
/** In the order in which runs come to them, so that there is always one that has yet to. One run alone is killed at more. */
const points = [
  git("^update-index -z --add", "before"),
  git("^read-tree -m -u", "after"),
  git("^update-ref -m guildhall: merge", "after"),
];

it("brings many runs home, each once, although the daemon is killed again and again", {
  timeout: 300_000,
}, async () => {
  const repo = dirtyCheckout({ "shared.txt": "all\n" });
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  const names = Array.from({ length: RUNS }, (_, at) => `run${at}`);
  const wanted = (at: number) => (at % 5 === 0 ? "shared.txt" : at % 5 === 1 ? "dirty/changed.bin" : `own/${at}.txt`);
  const playbooks = names.map((name, at) => [name, writing({ [`${name}.txt`]: "n\n", [wanted(at)]: `${name}\n` })]);
  await hallOver(await crashing.start(), { root: repo.root, playbooks: Object.fromEntries(playbooks) });
  const before = repo.mine();

  const [first, ...others] = points;
  crashing.arm(first as CrashPoint);
  const spawn = (name: string) => spawnRun(crashing.hall, name, `Write ${name}`).catch(() => undefined);
  const asked = await Promise.all(names.map(spawn));
  await crashing.struck(first as CrashPoint);
  // Those that nobody was told of are asked for again.
  const known = (await crashing.hall.call("GET", "/api/runs?limit=100")).body.runs as { id: string; title: string }[];
  const ids: string[] = [];
  for (const [at, name] of names.entries())
    ids.push(
      asked[at] ??
        known.find(({ title }) => title === `Write ${name}`)?.id ??
        (await spawnRun(crashing.hall, name, `Write ${name}`)),
    );
  for (const point of others) {
    crashing.arm(point);
    await crashing.struck(point);
  }
  // And at no step in particular, while a git may be at work that goes on without its daemon.
  await crashing.end();
  await crashing.start();
  const runs = [];
  for (const id of ids) runs.push(await untilOver(crashing.hall, id, 200_000));

  expect(repo.mine()).toEqual(before);
  for (const [at, run] of runs.entries()) {
    const { status } = run;
    const branch = branchOf(run);
    const allowed = at % 5 === 0 ? /^(delivered|review)$/ : at % 5 === 1 ? /^review$/ : /^delivered$/;
    expect([names[at], status, branch?.state, branch?.reason]).toEqual([
      names[at],
      "completed",
      expect.stringMatching(allowed),
      branch?.reason,
    ]);
    const where = branch?.state === "delivered" ? "main" : (branch?.name ?? "");
    expect(repo.committed(where, `${names[at]}.txt`)).toBe("n");
    expect(repo.exists(`${names[at]}.txt`)).toBe(branch?.state === "delivered");
  }
  const merges = repo.git("log", "--merges", "--format=%(trailers:key=Guildhall-Run,valueonly)", "main").split("\n");
  const merged = runs.filter(({ delivery }) => delivery?.state === "delivered").map(({ id }) => id);
  expect(merges.filter((line) => line !== "").sort()).toEqual(merged.sort());
  const left = () => readdirSync(join(crashing.workspace, ".guildhall/worktrees"));
  await expect.poll(left).toEqual([".scratch"]);
  expect(readdirSync(repo.at(".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(repo.branches().length).toBe(1 + RUNS - merged.length);
  expect(repo.git("fsck", "--no-dangling")).toBe("");
});
