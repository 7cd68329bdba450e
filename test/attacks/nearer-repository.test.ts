import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repository } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { furnish } from "../harness/spawned-runs.ts";

const shared = sharedHall();

it("a repository that a command makes in a part of one is refused, and the daemon waits for no pipe in it", async () => {
  const hall = shared();
  await furnish(hall, { done: JSON.stringify({ turns: [{ text: "Done." }] }) });
  const role = { id: "coder", name: "Coder", skills: ["read", "write", "report"] };
  expect((await hall.call("POST", "/api/roles", role)).status).toBe(201);
  const repo = repository({ "app/a.txt": "a\n" });
  const named = await hall.call("POST", "/api/projects", { id: "part", name: "Part", workdir: repo.at("app") });
  expect(named.status).toBe(201);
  const spawn = () =>
    hall.call("POST", "/api/team/spawn", {
      projectId: "part",
      task: { title: "Work" },
      roleId: "coder",
      overrides: { model: "offline/done" },
    });
  for (const name of ["objects", "refs"]) mkdirSync(repo.at(`app/.git/${name}`), { recursive: true });
  writeFileSync(repo.at("app/.git/HEAD"), "ref: refs/heads/main\n");
  expect(await spawn()).toMatchObject({ status: 409, body: { error: { code: "workdir_changed" } } });
  rmSync(repo.at("app/.git/HEAD"));
  execFileSync("mkfifo", [repo.at("app/.git/HEAD")]);
  expect(await spawn()).toMatchObject({ status: 409, body: { error: { code: "workdir_changed" } } });
});
