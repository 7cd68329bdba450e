import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { sandboxProbe } from "../../agent/sandbox/probe.ts";
import { openPlainRepository } from "./plain-repository.ts";

const open = (folder: string) =>
  openPlainRepository({ folder, scratch: join(temporaryFolder(), "scratch"), sandbox: sandboxProbe(), umask: 0o022 });

it("trusts the repository around a folder, and no other in its place", async () => {
  const person = repository({ "src/a.txt": "a\n" });
  const opened = await open(person.at("src"));
  onTestFinished(() => opened.close());
  expect(opened.checkout).toBe(person.root);
  person.write("b.txt", "b\n");
  expect(await opened.trees.paths(await opened.trees.working())).toEqual(["b.txt", "src/a.txt"]);
  renameSync(person.at(".git"), person.at("moved"));
  execFileSync("git", ["init", "--quiet"], { cwd: person.root });
  await expect(opened.trees.tree("HEAD")).rejects.toThrow("is not the repository that was confirmed");
});

it("takes the HEAD of the checkout, not of the repository's first one", async () => {
  const person = repository({ "a.txt": "a\n" });
  const linked = join(temporaryFolder(), "linked");
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Pat", "-c", "user.email=pat@localhost", ...args], { cwd: folder });
  git(person.root, "worktree", "add", "--quiet", "-b", "other", linked);
  git(linked, "commit", "--quiet", "--allow-empty", "-m", "Other");
  const opened = await open(linked);
  onTestFinished(() => opened.close());
  expect(await opened.trees.commit("HEAD")).toBe(git(linked, "rev-parse", "HEAD").toString().trim());
  expect(await opened.trees.commit("main")).toBe(git(person.root, "rev-parse", "HEAD").toString().trim());
});

it("refuses a folder without a repository", async () => {
  await expect(open(temporaryFolder())).rejects.toMatchObject({
    code: "repository_refused",
    hint: { args: { text: expect.stringContaining("git init") } },
  });
});
