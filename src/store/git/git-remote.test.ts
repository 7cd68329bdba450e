import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { trackedRemote } from "./git-remote.ts";

function configured(text: string): string {
  const repository = join(temporaryFolder(), ".git");
  mkdirSync(repository);
  writeFileSync(join(repository, "config"), text);
  return repository;
}

const ORIGIN = '[remote "origin"]\n\turl = git@example.org:a/b.git\n';

test.each([
  [ORIGIN, { name: "origin", branch: "main" }],
  ['[remote "up"]\n\turl = x\n', { name: "up", branch: "main" }],
  [
    `${ORIGIN}[remote "up"]\n\turl = x\n[branch "main"]\n\tremote = up\n\tmerge = refs/heads/trunk\n`,
    { name: "up", branch: "trunk" },
  ],
  ["[core]\n\tbare = false\n", undefined],
  ["not a config", undefined],
  // What could be read as an option, or as more than a name, is not offered.
  ['[remote "-evil"]\n\turl = x\n', undefined],
  [`${ORIGIN}[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/a$reboot\n`, undefined],
  [`${ORIGIN}[branch "main"]\n\tremote = $(reboot)\n`, undefined],
])("%j has the remote %j", (text, expected) => {
  expect(trackedRemote(configured(text), "main")).toEqual(expected);
});

test("a repository that is gone has none", () => {
  expect(trackedRemote(join(temporaryFolder(), "none"), "main")).toBeUndefined();
});
