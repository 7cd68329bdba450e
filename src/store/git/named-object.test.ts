import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { namedObject } from "./named-object.ts";

it("finds what git finds, and leaves to git what files don't say", () => {
  const person = repository({ "a.txt": "1\n" });
  const records = person.at(".git");
  const place = { repository: records, records };
  const git = (name: string) => person.git("rev-parse", "--verify", "--quiet", name).trim();
  const next = (message: string) => person.git("commit", "--quiet", "--allow-empty", "-m", message);
  person.git("branch", "both");
  person.git("branch", "feature/päck");
  person.git("pack-refs", "--all");
  next("Second");
  person.git("tag", "both");
  person.git("tag", "-a", "-m", "Annotated", "told");
  person.git("update-ref", "refs/remotes/origin/main", "HEAD~1");
  person.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
  person.git("branch", "again");
  person.git("pack-refs", "--all");
  next("Third");
  person.git("update-ref", "refs/heads/again", "HEAD");
  for (const name of [
    "main",
    "HEAD",
    "both",
    "told",
    "again",
    "origin/main",
    "origin",
    "heads/main",
    "refs/heads/both",
  ])
    expect([name, namedObject(place, name)]).toEqual([name, git(name)]);
  const asked = [
    "feature/päck",
    "HEAD~1",
    "main@{0}",
    "config",
    "-x",
    "../x",
    "abcdef",
    git("HEAD"),
    "none",
    "main.lock",
  ];
  for (const name of asked) expect([name, namedObject(place, name)]).toEqual([name, undefined]);
  writeFileSync(person.at(".git/refs/heads/broken"), "nothing\n");
  expect(namedObject(place, "broken")).toBeUndefined();
  writeFileSync(person.at(".git/packed-refs"), `${"#".repeat(2 * 1024 * 1024)}\n`);
  expect(namedObject(place, "main")).toBeUndefined();
});

it("has the HEAD of the checkout that is asked about", () => {
  const person = repository({ "a.txt": "1\n" });
  const other = join(temporaryFolder(), "other");
  person.git("worktree", "add", "--quiet", "-b", "side", other);
  execFileSync(
    "git",
    ["-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "--quiet", "--allow-empty", "-m", "Side"],
    { cwd: other },
  );
  const place = { repository: person.at(".git"), records: person.at(".git/worktrees/other") };
  expect(namedObject(place, "HEAD")).toBe(person.git("rev-parse", "side").trim());
  expect(namedObject(place, "main")).toBe(person.git("rev-parse", "main").trim());
});
