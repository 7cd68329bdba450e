import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const points: [string, Omit<CrashPoint, "victim">][] = [
  ["before its worktree is made", { file: "^git$", text: "^worktree add", when: "before" }],
  ["after its worktree is made", { file: "^git$", text: "^worktree add", when: "after" }],
  ["after its work is committed", { file: "^git$", text: "^update-ref -m guildhall: save", when: "after" }],
  ["after the person's files have followed", { file: "^git$", text: "^read-tree", when: "after" }],
  ["after the branch was moved", { file: "^git$", text: "^update-ref -m guildhall: merge", when: "after" }],
  ["before it counts as settled", { file: BOOK, text: '"type":"settled"', when: "before" }],
  ["before its worktree and branch are removed", { file: BOOK, text: '"type":"settled"', when: "after" }],
  ["before its branch is removed", { file: "^git$", text: "^update-ref -d", when: "before" }],
];

describe("a run in a worktree, when the daemon is killed", { timeout: 180_000 }, () => {
  it("comes out the same at every step: merged once, nothing left, the person's work as it was", async () => {
    const repo = repository({ "a.txt": "a\n", "mine.txt": "m\n" });
    repo.write("mine.txt", "unfinished\n");
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const playbooks = Object.fromEntries(
      points.map((_, at) => [`play${at}`, writing({ "a.txt": `agent ${at}\n`, [`n${at}.txt`]: "n\n" })]),
    );
    await hallOver(await crashing.start(), { root: repo.root, playbooks });
    for (const [at, [when, point]] of sampled([...points.entries()], { every: 6, from: 1 })) {
      const merges = Number(repo.git("rev-list", "--count", "--merges", "main"));
      crashing.arm({ ...point, victim: "daemon" });
      const id = await spawnRun(crashing.hall, `play${at}`, `Do ${at}`);
      await crashing.struck({ ...point, victim: "daemon" });
      const run = await untilOver(crashing.hall, id);
      expect(run, when).toMatchObject({
        status: "completed",
        delivery: { kind: "branch", state: "delivered", files: 2 },
      });
      expect(Number(repo.git("rev-list", "--count", "--merges", "main")), when).toBe(merges + 1);
      expect([repo.text("a.txt"), repo.text(`n${at}.txt`), repo.text("mine.txt")], when).toEqual([
        `agent ${at}\n`,
        "n\n",
        "unfinished\n",
      ]);
      expect(repo.git("status", "--porcelain"), when).toBe(" M mine.txt");
      const left = () => readdirSync(join(crashing.workspace, ".guildhall/worktrees"));
      await expect.poll(left, { message: when }).toEqual([".scratch"]);
      expect(repo.branches(), when).toEqual(["main"]);
      expect(repo.git("worktree", "list").split("\n"), when).toHaveLength(1);
    }
  });

  it("is approved and taken back once, although the answer is lost each time", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    const config = { constraints: { requireReview: true } };
    await hallOver(await crashing.start(), {
      root: repo.root,
      config,
      playbooks: { play: writing({ "a.txt": "agent\n" }) },
    });
    const id = await spawnRun(crashing.hall, "play", "Do it");
    await untilOver(crashing.hall, id);
    const { hash } = (await crashing.hall.call("GET", `/api/runs/${id}/diff`)).body;
    const point: CrashPoint = {
      victim: "daemon",
      file: "^git$",
      text: "^update-ref -m guildhall: merge",
      when: "after",
    };
    const decide = (deed: string, body?: object) =>
      crashing.hall.call("POST", `/api/runs/${id}/${deed}`, body, { "idempotency-key": `${deed}-1` });
    for (const [deed, body, state, text] of [
      ["approve", { hash }, "delivered", "agent\n"],
      ["revert", undefined, "reverted", "a\n"],
    ] as const) {
      crashing.arm(point);
      await expect(decide(deed, body)).rejects.toThrow();
      await crashing.struck(point);
      const tip = repo.git("rev-parse", "main");
      expect(await decide(deed, body)).toMatchObject({
        status: 200,
        body: { run: { delivery: { kind: "branch", state } } },
      });
      const { delivery } = (await crashing.hall.call("GET", `/api/runs/${id}`)).body.run;
      expect([
        repo.git("rev-parse", "main"),
        delivery?.kind === "branch" && (delivery.revert ?? delivery.merge),
        repo.text("a.txt"),
      ]).toEqual([tip, tip, text]);
    }
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(repo.git("rev-list", "--count", "--first-parent", "main")).toBe("3");
  });
});
