import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { ProjectCreate } from "../../contract/documents/project.ts";
import { BY_DAEMON, BY_HAND } from "../core.ts";
import { openHall } from "../hall/open-hall.ts";

async function hallWith(workdir: string) {
  const opened = await openHall({ workspace: join(temporaryFolder(), "hall"), clock: () => new Date(), version: "0" });
  onTestFinished(() => opened.close());
  const { hall } = opened;
  await hall.projects.create(ProjectCreate.parse({ id: "shop", name: "Shop", workdir }), { actor: BY_HAND });
  return hall;
}

it("a working folder is confirmed by nobody but the person", async () => {
  const hall = await hallWith(temporaryFolder());
  const { fingerprint = "" } = hall.workdirs.view("shop");
  for (const actor of [BY_DAEMON, { kind: "agent", id: "main", via: "daemon" } as const])
    await expect(hall.workdirs.confirm("shop", fingerprint, { actor })).rejects.toMatchObject({ code: "forbidden" });
});

it("git may be run on a repository that a person confirmed, as long as it is the same one", async () => {
  const repo = repository({ "a.txt": "a\n" });
  const other = repository({ "b.txt": "b\n" }, "other");
  const hall = await hallWith(repo.root);
  const trusted = (path: string) => hall.workdirs.trustedRepository(path)?.path;
  const own = repo.at(".git");
  expect([trusted(own), trusted(join(own, "worktrees/run-1"))]).toEqual([own, own]);
  const others = [other.at(".git"), `${own}/worktrees/..`, join(own, "worktrees/a/b"), `${own}x`, repo.root];
  expect(others.map(trusted)).toEqual(others.map(() => undefined));
  // Results of runs may still be in the folder that the project had before.
  const moved = temporaryFolder();
  await hall.projects.update("shop", { workdir: moved }, { actor: BY_HAND });
  expect(trusted(own)).toBe(own);
  renameSync(own, repo.at("away"));
  symlinkSync(other.at(".git"), own);
  expect([trusted(own), trusted(other.at(".git"))]).toEqual([undefined, undefined]);
});
