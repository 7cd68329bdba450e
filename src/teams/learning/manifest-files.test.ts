import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { GitTrees } from "../../quality/trees/git-trees.ts";
import { projectFiles } from "../../quality/trees/project-files.ts";
import { manifestsIn, manifestsOf } from "./manifest-files.ts";
import { detectKinds } from "./project-kinds.ts";

const HUGE = 50 * 1024 * 1024;

/** Manifests that are fine, a link, huge, and no text. */
function fill(root: string): void {
  for (const folder of ["web", "big", "odd"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "package.json"), JSON.stringify({ dependencies: { fastify: "5" } }));
  symlinkSync("../package.json", join(root, "web/package.json"));
  writeFileSync(join(root, "big/package.json"), "");
  truncateSync(join(root, "big/package.json"), HUGE);
  writeFileSync(join(root, "odd/package.json"), Buffer.from([0xff, 0xfe, 0x7b]));
}

const EXPECTED = {
  kinds: [expect.objectContaining({ kind: "node-service", evidence: "package.json: fastify 5" })],
  unread: [
    { file: "big/package.json", reason: "it is larger than 512 KB" },
    { file: "odd/package.json", reason: "it is not UTF-8 text" },
    { file: "web/package.json", reason: "it is a link, and links are not followed" },
  ],
};

it("reads manifests of a commit, and neither links nor huge files", async () => {
  const person = repository({});
  fill(person.root);
  person.git("add", "--all");
  person.git("commit", "--quiet", "-m", "Second");
  const trees = new GitTrees({
    git: trustingGit(),
    repository: person.at(".git"),
    scratch: join(temporaryFolder(), "scratch"),
  });
  onTestFinished(() => trees.close());
  expect(await detectKinds(manifestsOf(await projectFiles({ trees, prefix: "" })))).toEqual(EXPECTED);
  const below = await projectFiles({ trees, prefix: "big" }, "refs/heads/main");
  expect(below.paths).toEqual(["package.json"]);
  expect(await below.read("package.json", 10)).toBe("too-large");
});

it("reads manifests of a folder without a repository in the same way", async () => {
  const root = temporaryFolder();
  fill(root);
  expect(await detectKinds(manifestsIn(root))).toEqual(EXPECTED);
});
