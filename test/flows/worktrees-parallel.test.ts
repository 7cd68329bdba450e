import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";

const RUNS = 20;

/** Writes one half, looks at what is there, and writes the other half; every third also wants the file of all. */
function halves(name: string, wantsShared: boolean): string {
  const write = (path: string, content: string) => ({ tool: "write", input: { path, content } });
  return JSON.stringify({
    turns: [
      { calls: [write(`${name}.txt`, "HALF\n")] },
      { delayMs: 50, calls: [{ tool: "search", input: { pattern: "^HALF" } }] },
      {
        calls: [
          write(`${name}.seen`, "{{last.search}}"),
          { tool: "edit", input: { path: `${name}.txt`, oldText: "HALF", newText: "WHOLE" } },
          ...(wantsShared ? [write("shared.txt", `${name}\n`)] : []),
        ],
      },
      { text: "Done." },
    ],
  });
}

it("lets twenty runs write in one repository at once beside a person's unfinished work", {
  timeout: 120_000,
}, async () => {
  const repo = repository({ "shared.txt": "all\n", "dirty.txt": "d\n", "staged.txt": "s\n", "kept.txt": "k\n" });
  repo.write("dirty.txt", Uint8Array.from([0, 255, 13, 10, 1]));
  repo.write("staged.txt", "staged\n");
  repo.git("add", "staged.txt");
  repo.write("untracked/mine.txt", "mine\n");
  const before = repo.snapshot();
  const status = repo.git("status", "--porcelain");
  const names = Array.from({ length: RUNS }, (_, at) => `run${at}`);
  const playbooks = Object.fromEntries(names.map((name, at) => [name, halves(name, at % 3 === 0)]));
  const config = { limits: { runs: RUNS, runsPerProject: RUNS, modelCalls: RUNS, toolCalls: RUNS } };
  const hall = await hallOver(await startHall(undefined, { config }), { root: repo.root, playbooks });

  const ids = await Promise.all(names.map((name) => spawnRun(hall, name, `Write ${name}`)));
  const runs = await Promise.all(ids.map((id) => untilOver(hall, id, 100_000)));

  expect(runs.map(({ status: ended }) => ended)).toEqual(names.map(() => "completed"));
  for (const [at, run] of runs.entries()) {
    const name = names[at] ?? "";
    const { state, name: branch = "" } = run.branch ?? {};
    const where = state === "merged" ? "main" : branch;
    expect([name, state]).toEqual([name, expect.stringMatching(/^(merged|review)$/)]);
    expect(repo.committed(where, `${name}.txt`)).toBe("WHOLE");
    // Of the half-written work of all, it has seen its own alone.
    const seen = repo.committed(where, `${name}.seen`);
    expect([...new Set(seen.match(/run\d+\.txt/g))]).toEqual([`${name}.txt`]);
    if (state === "merged") expect(repo.text(`${name}.txt`)).toBe("WHOLE\n");
  }
  // Of those that want the same file, one is merged, and so are those that began after it; the others wait.
  const shared = runs.filter((_, at) => at % 3 === 0).map(({ branch }) => branch?.state);
  expect(shared).toContain("merged");
  const alone = runs.filter((_, at) => at % 3 !== 0);
  expect(alone.flatMap(({ branch }) => branch?.reason ?? [])).toEqual([]);

  const after = repo.snapshot();
  for (const path of ["dirty.txt", "staged.txt", "kept.txt", "untracked/mine.txt"])
    expect(after[path]).toBe(before[path]);
  expect(repo.git("status", "--porcelain")).toBe(status);
  const left = () => readdirSync(join(hall.workspace, ".guildhall/worktrees"));
  await expect.poll(left, { timeout: 20_000 }).toEqual([".scratch"]);
  expect(repo.git("fsck", "--no-dangling")).toBe("");
});
