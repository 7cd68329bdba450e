import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { dirtyCheckout } from "../harness/dirty-checkout.ts";
import { hallOver } from "../harness/repository.ts";
import { branchOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const RUNS = 20;

/** Writes one half, looks at what is there, and writes the other half; some also want what others want or have in hand. */
function halves(name: string, wanted: string[]): string {
  const write = (path: string, content: string) => ({ tool: "write", input: { path, content } });
  return JSON.stringify({
    turns: [
      { calls: [write(`${name}.txt`, "HALF\n")] },
      { delayMs: 50, calls: [{ tool: "search", input: { pattern: "HALF|UNCOMMITTED|put away" } }] },
      {
        calls: [
          write(`${name}.seen`, "{{last.search}}"),
          { tool: "edit", input: { path: `${name}.txt`, oldText: "HALF", newText: "WHOLE" } },
          ...wanted.map((path) => write(path, `by ${name}\n`)),
        ],
      },
      { text: "Done." },
    ],
  });
}

it("lets twenty runs write in one repository at once beside a person's unfinished work", {
  timeout: 300_000,
}, async () => {
  const repo = dirtyCheckout({ "shared.txt": "all\n", "kept.txt": "k\n" });
  const names = Array.from({ length: RUNS }, (_, at) => `run${at}`);
  // Every third wants the same file; others want what the person has in hand, but for what git ignores: nobody can commit it.
  const inHand = repo.inHand.filter((path) => !path.endsWith(".log"));
  const wanted = names.map((_, at) => {
    if (at % 3 === 0) return ["shared.txt"];
    return at % 3 === 1 ? [inHand[at % inHand.length] ?? "", inHand[(at * 5) % inHand.length] ?? ""] : [];
  });
  const before = repo.mine();
  const playbooks = Object.fromEntries(names.map((name, at) => [name, halves(name, wanted[at] ?? [])]));
  const config = { limits: { runs: RUNS, runsPerProject: RUNS, modelCalls: RUNS, toolCalls: RUNS } };
  const hall = await hallOver(await startHall(undefined, { config }), { root: repo.root, playbooks });

  const ids = await Promise.all(names.map((name) => spawnRun(hall, name, `Write ${name}`)));
  const runs = await Promise.all(ids.map((id) => untilOver(hall, id, 200_000)));

  expect(runs.map(({ status: ended }) => ended)).toEqual(names.map(() => "completed"));
  for (const [at, run] of runs.entries()) {
    const name = names[at] ?? "";
    const { state, name: branch = "" } = branchOf(run) ?? {};
    expect([name, state]).toEqual([name, expect.stringMatching(/^(delivered|review)$/)]);
    const where = state === "delivered" ? "main" : branch;
    expect(repo.committed(where, `${name}.txt`)).toBe("WHOLE");
    for (const path of wanted[at] ?? [])
      if (state === "review") expect(repo.committed(branch, path)).toBe(`by ${name}`);
    // Of the half-written work of all, and of the person's, it has seen its own alone.
    const seen = repo.committed(where, `${name}.seen`);
    expect([...new Set(seen.match(/[\w/.-]+(?=:\d)|[\w/-]+\.(?:txt|bin|log|sh)/g))]).toEqual([`${name}.txt`]);
    expect(repo.exists(`${name}.txt`)).toBe(state === "delivered");
    if (state === "delivered") expect(repo.text(`${name}.txt`)).toBe("WHOLE\n");
  }
  const states = (rest: number) => runs.filter((_, at) => at % 3 === rest).map(({ delivery }) => delivery?.state);
  // Of those that want the same file, one is merged, and so are those that began after it; the others wait.
  expect(states(0)).toContain("delivered");
  expect(new Set(states(1))).toEqual(new Set(["review"]));
  expect(new Set(states(2))).toEqual(new Set(["delivered"]));

  expect(repo.mine()).toEqual(before);
  const merges = repo.git("log", "--merges", "--format=%(trailers:key=Guildhall-Run,valueonly)", "main").split("\n");
  const merged = runs.filter(({ delivery }) => delivery?.state === "delivered").map(({ id }) => id);
  expect(merges.filter((line) => line !== "").sort()).toEqual(merged.sort());
  const left = () => readdirSync(join(hall.workspace, ".guildhall/worktrees"));
  await expect.poll(left).toEqual([".scratch"]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(repo.git("fsck", "--no-dangling")).toBe("");
});
