import { mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repositoryAt } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { refused, wanted } from "../harness/workspace.ts";

async function withoutCommit() {
  const root = join(temporaryFolder(), "new");
  mkdirSync(root);
  const person = repositoryAt(root);
  person.git("init", "--quiet", "--initial-branch=trunk");
  person.write("a.txt", "a\n");
  const hall = await hallOver(await startHall(), { root, playbooks: {} });
  const commit = () => hall.call("POST", `/api/projects/${PROJECT}/first-commit`);
  return { root, person, commit };
}

it("the first commit leaves out what may be a secret, also where it was staged before", async () => {
  const { root, person, commit } = await withoutCommit();
  const secrets = [
    ...[".aws/credentials", ".docker/config.json", ".env", ".git-credentials", ".pgpass", "credentials.json"],
    ...["deep/.env.production", "deploy.ppk", "id_ed25519_work", "release.jks", "secrets.yml"],
  ];
  for (const path of [...secrets, "gone.txt", "secrets.example.yml", "src/secrets.ts"]) person.write(path, "x\n");
  symlinkSync("/etc", join(root, "outside"));
  person.git("add", "--all");
  rmSync(join(root, "gone.txt"));
  const { omitted } = await wanted(200, commit());
  expect(omitted.toSorted()).toEqual(secrets);
  const committed = person.git("ls-tree", "-r", "--name-only", "HEAD").split("\n").sort();
  expect(committed).toEqual(["a.txt", "outside", "secrets.example.yml", "src/secrets.ts"]);
  expect(person.git("status", "--porcelain", "--untracked-files=all").split("\n")).toHaveLength(secrets.length);
});

it("the first commit is refused where a file is over the limit, and changes nothing", async () => {
  const { root, person, commit } = await withoutCommit();
  person.write("large.bin", "");
  truncateSync(join(root, "large.bin"), 200 * 1_048_576);
  const { message } = await refused("repository_refused", commit());
  expect(message).toContain("'large.bin' (200 MB)");
  expect(person.git("ls-files", "--cached")).toBe("");
});
