import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type PersonsRepository, repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { GitTrees } from "./git-trees.ts";
import { bytesOfPath, pathOfBytes } from "./tree-paths.ts";

function treesOf(person: PersonsRepository): GitTrees {
  const scratch = join(temporaryFolder(), "scratch");
  const records = person.at(".git");
  const trees = new GitTrees({
    git: trustingGit(),
    repository: records,
    work: { checkout: person.root, records },
    scratch,
  });
  onTestFinished(() => trees.close());
  return trees;
}

const objectsIn = (person: PersonsRepository) => person.git("count-objects", "-v");
const head = async (trees: GitTrees) => (await trees.tree("HEAD")) ?? "";

describe("trees of a repository", () => {
  it("tells renamed, deleted, binary and changed files apart, with their lines", async () => {
    const person = repository({ "a.txt": "1\n2\n3\n4\n", "gone.txt": "x\n", "b.txt": "1\n" });
    person.git("mv", "a.txt", "moved.txt");
    person.git("rm", "--quiet", "gone.txt");
    person.write("b.txt", "1\n2\n");
    person.write("picture.bin", Buffer.from([0, 1, 2, 0, 255]));
    person.git("add", "--all");
    person.git("commit", "--quiet", "-m", "Second");
    const trees = treesOf(person);
    const changes = await trees.changes("HEAD~1", "HEAD");
    expect(changes).toEqual([
      { path: "b.txt", status: "modified", additions: 1, deletions: 0, binary: false },
      { path: "gone.txt", status: "deleted", additions: 0, deletions: 1, binary: false },
      { path: "moved.txt", status: "renamed", from: "a.txt", additions: 0, deletions: 0, binary: false },
      { path: "picture.bin", status: "added", additions: 0, deletions: 0, binary: true },
    ]);
    expect(await trees.diff("HEAD~1", "HEAD", ["b.txt"])).toContain("+2");
    expect(await trees.diff("HEAD~1", "HEAD", ["b.txt"])).not.toContain("picture");
  });

  it("replaces and removes paths without an object in the repository", async () => {
    const person = repository({ "src/a.js": "old\n", "src/b.js": "b\n" });
    person.write("src/a.js", "new\n");
    person.git("commit", "--quiet", "--all", "-m", "Second");
    const before = objectsIn(person);
    const trees = treesOf(person);
    const made = await trees.overlay("HEAD", [
      { path: "src/a.js", from: "HEAD~1" },
      { path: "src/b.js", remove: true },
    ]);
    expect(await trees.paths(made)).toEqual(["src/a.js"]);
    expect(String(await trees.read(made, "src/a.js"))).toBe("old\n");
    expect(await trees.read(made, "src/b.js")).toBeUndefined();
    expect(objectsIn(person)).toBe(before);
  });

  it("places content of its own, keeps the mode, and searches text files of a tree", async () => {
    const person = repository({ "run.sh": "#!/bin/sh\n# REQ-001\n", "src/ä b.js": "// REQ-002: x\n\n// req\n" });
    person.write("picture.bin", Buffer.from("REQ-003\0\0"));
    person.git("update-index", "--chmod=+x", "run.sh");
    person.git("add", "--all");
    person.git("commit", "--quiet", "-m", "Second\n\nIt is REQ-004.");
    const trees = treesOf(person);
    const made = await trees.overlay("HEAD", [{ path: "run.sh", content: Buffer.from("REQ-005\r\n") }]);
    expect((await trees.entries(made)).get("run.sh")?.mode).toBe((await trees.entries("HEAD")).get("run.sh")?.mode);
    expect(await trees.search(made, "REQ-[0-9]+")).toEqual([
      { path: "run.sh", line: 1, text: "REQ-005\r" },
      { path: "src/ä b.js", line: 1, text: "// REQ-002: x" },
    ]);
    expect(await trees.search("HEAD", "nowhere")).toEqual([]);
    expect(await trees.log("HEAD~1", "HEAD")).toEqual([
      { commit: await trees.commit("HEAD"), message: "Second\n\nIt is REQ-004.\n" },
    ]);
  });

  it("merges commits without a trace, names conflicts, and knows whose a line is", async () => {
    const person = repository({ "a.txt": "1\n2\n3\n", "b.txt": "b\n" });
    const onBranch = (name: string, files: Record<string, string>) => {
      person.git("checkout", "--quiet", "-b", name, "main");
      for (const [path, text] of Object.entries(files)) person.write(path, text);
      person.git("add", "--all");
      person.git("commit", "--quiet", "-m", name);
      return person.git("rev-parse", "HEAD").trim();
    };
    const [one, two, three] = [
      onBranch("one", { "a.txt": "x\n2\n3\n" }),
      onBranch("two", { "b.txt": "y\n" }),
      onBranch("three", { "a.txt": "z\n2\n3\n" }),
    ];
    const before = [objectsIn(person), person.git("for-each-ref")];
    const trees = treesOf(person);
    const merged = await trees.merge(one, two);
    const commit = "commit" in merged ? merged.commit : "";
    expect(String(await trees.read(commit, "a.txt"))).toBe("x\n2\n3\n");
    expect(String(await trees.read(commit, "b.txt"))).toBe("y\n");
    expect(await trees.merge(commit, three)).toEqual({ conflicts: ["a.txt"] });
    expect(await trees.blame(commit, "a.txt", 1)).toBe(one);
    expect(await trees.blame(commit, "b.txt", 1)).toBe(two);
    expect(await trees.blame(commit, "b.txt", 99)).toBeUndefined();
    expect([objectsIn(person), person.git("for-each-ref")]).toEqual(before);
  });

  it("sees what is not committed, and leaves index, files and objects as they are", async () => {
    const person = repository({ ".gitignore": "ignored.txt\n", "a.txt": "a\n", "b.txt": "b\n" });
    person.write("a.txt", "changed\n");
    person.git("add", "a.txt");
    person.write("a.txt", "changed again\n");
    person.write("new.txt", "new\n");
    person.write("ignored.txt", "x\n");
    execFileSync("rm", [person.at("b.txt")]);
    const before = [objectsIn(person), readFileSync(person.at(".git/index")).toString("hex"), person.snapshot()];
    const trees = treesOf(person);
    const tree = await trees.working();
    expect(await trees.paths(tree)).toEqual([".gitignore", "a.txt", "new.txt"]);
    expect(String(await trees.read(tree, "a.txt"))).toBe("changed again\n");
    expect([objectsIn(person), readFileSync(person.at(".git/index")).toString("hex"), person.snapshot()]).toEqual(
      before,
    );
  });

  it("answers for a repository without commits, and can look at its files all the same", async () => {
    const person = repository({});
    execFileSync("rm", ["-rf", person.at(".git")]);
    person.git("init", "--quiet", "--initial-branch=main");
    person.write("a.txt", "a\n");
    const trees = treesOf(person);
    expect(await trees.commit("HEAD")).toBeUndefined();
    expect(await trees.tree("HEAD")).toBeUndefined();
    expect(await trees.paths(await trees.working())).toEqual(["a.txt"]);
  });

  it("finds several revisions at once, and none where a name is no commit", async () => {
    const person = repository({ "a.txt": "a\n" });
    person.git("tag", "first");
    person.write("a.txt", "b\n");
    person.git("commit", "--quiet", "--all", "-m", "Second");
    const trees = treesOf(person);
    const of = (name: string) => ({
      commit: person.git("rev-parse", name),
      tree: person.git("rev-parse", `${name}^{tree}`),
    });
    const [first, second] = [of("first"), of("HEAD")];
    const names = ["HEAD", "nowhere", "first", "HEAD:a.txt", "-x", "two\nlines", "HEAD^{tree}", first.commit, "main"];
    const found = [second, undefined, first, undefined, undefined, undefined, undefined, first, second];
    expect(await trees.revisions(names)).toEqual(found);
    expect(await trees.revisions([first.commit, "HEAD"])).toEqual([first, second]);
    person.git("commit", "--quiet", "--allow-empty", "-m", "Third");
    expect(await trees.revisions(["HEAD"])).toEqual([of("HEAD")]);
    expect(await trees.fork(second.commit, first.commit)).toBe(first.commit);
    expect(await trees.fork(second.commit, first.commit)).toBe(first.commit);
    expect([await trees.tree(first.commit), await trees.tree("first")]).toEqual([first.tree, first.tree]);
  });

  it("checks out exactly one tree, tells what was changed in it, and leaves nothing of it", async () => {
    const person = repository({ "a.txt": "a\n", "dir/b.txt": "b\n", ".gitattributes": "*.txt text eol=crlf\n" });
    const trees = treesOf(person);
    const tree = await head(trees);
    let seen = "";
    await trees.guarded(tree, async ({ folder, during }) => {
      const changedBy = async (path: string, text: string) => {
        const { changed } = await during(async () => writeFileSync(join(folder, path), text));
        return changed;
      };
      seen = folder;
      expect(readdirSync(folder).sort()).toEqual([".gitattributes", "a.txt", "dir"]);
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\r\n");
      expect(await changedBy("a.txt", "a\r\n")).toEqual([]);
      expect(await changedBy("dir/b.txt", "other\n")).toEqual(["dir/b.txt"]);
    });
    expect(existsSync(seen)).toBe(false);
    expect(person.git("status", "--short")).toBe("");
  });

  it("uses an untouched folder again, with exactly the files of the next tree", async () => {
    const person = repository({ "a.txt": "a\n", "b/c.txt": "c\n", "b/d/e.txt": "e\n", "f.txt": "f\n", "g.txt": "g\n" });
    const trees = treesOf(person);
    const object = await trees.blob(Buffer.from("new\n"));
    const other = await trees.place("HEAD", [
      { path: "a.txt", entry: { mode: "100755", object } },
      { path: "b/d/e.txt", entry: undefined },
      { path: "b/d", entry: { mode: "120000", object } },
    ]);
    const listed = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();
    const folders: string[] = [];
    await trees.checkout("HEAD", async (folder) => {
      folders.push(folder);
      mkdirSync(join(folder, "node_modules/x"), { recursive: true });
      writeFileSync(join(folder, "b/left.txt"), "left by a command");
    });
    await trees.checkout(other, async (folder) => {
      folders.push(folder);
      expect(listed(folder)).toEqual(["a.txt", "b", "b/c.txt", "b/d", "f.txt", "g.txt"]);
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("new\n");
      expect(lstatSync(join(folder, "b/d")).isSymbolicLink()).toBe(true);
    });
    await trees.guarded("HEAD", async ({ folder, during }) => {
      folders.push(folder);
      expect(listed(folder)).toEqual(["a.txt", "b", "b/c.txt", "b/d", "b/d/e.txt", "f.txt", "g.txt"]);
      expect(await during(async () => "nothing")).toEqual({ result: "nothing", changed: [] });
      await during(async () => writeFileSync(join(folder, "a.txt"), "a\n"));
    });
    await trees.checkout("HEAD", async (folder) => {
      folders.push(folder);
      writeFileSync(join(folder, "a.txt"), "touched by whoever had the folder\n");
    });
    await trees.checkout("HEAD", async (folder) => {
      folders.push(folder);
      expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\n");
    });
    expect(new Set(folders.slice(0, 3)).size).toBe(1);
    expect(new Set(folders).size).toBe(3);
  });

  it("writes the files that differ as the attributes of their tree say", async () => {
    const person = repository({
      ".gitattributes": "*.bin -text\n",
      "sub/.gitattributes": "*.txt text eol=crlf\n",
      ...{ "sub/a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" },
    });
    const trees = treesOf(person);
    const other = await trees.overlay("HEAD", [{ path: "sub/a.txt", content: Buffer.from("new\n") }]);
    const folders: string[] = [];
    await trees.checkout("HEAD", async (folder) => folders.push(folder));
    await trees.checkout(other, async (folder) => {
      folders.push(folder);
      expect(readFileSync(join(folder, "sub/a.txt"), "utf8")).toBe("new\r\n");
    });
    expect(new Set(folders).size).toBe(1);
  });

  it("lists a tree by how it differs from another one as git lists it", async () => {
    const person = repository({ "a.txt": "1\n2\n3\n", "b/c.txt": "c\n", "d.sh": "d\n", "z.txt": "z\n" });
    person.git("mv", "a.txt", "b/moved.txt");
    person.git("rm", "--quiet", "z.txt");
    person.git("update-index", "--chmod=+x", "d.sh");
    person.write("new/e.txt", "e\n");
    person.git("add", "new");
    person.git("commit", "--quiet", "-m", "Second");
    const [trees, fresh] = [treesOf(person), treesOf(person)];
    const [before, after] = [(await trees.tree("HEAD~1")) ?? "", await head(trees)];
    await trees.entries(before);
    await trees.changes(before, after);
    expect([...(await trees.entries(after))]).toEqual([...(await fresh.entries(after))]);
    expect((await trees.entries(after)).get("d.sh")?.mode).toBe("100755");
  });

  it("keeps names that are not UTF-8", async () => {
    const person = repository({ "a.txt": "a\n" });
    const object = person.git("hash-object", "-w", "a.txt");
    const input = Buffer.concat([Buffer.from(`100644 ${object}\tcaf`), Buffer.from([0xe9]), Buffer.from(".txt\0")]);
    execFileSync("git", ["update-index", "-z", "--index-info"], { cwd: person.root, input });
    person.git("commit", "--quiet", "-m", "Odd");
    const trees = treesOf(person);
    const [odd = ""] = (await trees.changes("HEAD~1", "HEAD")).map(({ path }) => path);
    expect(bytesOfPath(odd)).toBe("caf\u00e9.txt");
    expect(String(await trees.read("HEAD", odd))).toBe("a\n");
    const without = await trees.overlay("HEAD", [{ path: odd, remove: true }]);
    expect(without).toBe(await trees.tree("HEAD~1"));
    await trees.checkout("HEAD", async (folder) => expect(readdirSync(folder, "latin1")).toContain("caf\u00e9.txt"));
  });

  it("names submodules, and does not check them out", async () => {
    const person = repository({ "a.txt": "a\n" });
    const commit = person.git("rev-parse", "HEAD");
    person.git("update-index", "--add", "--cacheinfo", `160000,${commit},module`);
    person.git("commit", "--quiet", "-m", "Module");
    const trees = treesOf(person);
    expect(await trees.submodules("HEAD")).toEqual(["module"]);
    expect(await trees.paths("HEAD")).toEqual(["a.txt"]);
    expect(await trees.read("HEAD", "module")).toBeUndefined();
    await trees.checkout("HEAD", async (folder) => expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("a\n"));
  });

  it("shows a diff of 70 MB without the file that is too large, and says so", async () => {
    const person = repository({ "a.txt": "a\n" });
    person.write("a.txt", "b\n");
    person.write("large.txt", `${"x".repeat(99)}\n`.repeat(700_000));
    person.git("add", "--all");
    person.git("commit", "--quiet", "-m", "Large");
    const diff = await treesOf(person).diff("HEAD~1", "HEAD");
    expect(diff.length).toBeLessThan(40_000_000);
    expect(diff).toContain("+b\n");
    expect(diff).toContain("diff --git a/large.txt b/large.txt\n(The diff of this file is too large to show.)");
  });

  it.each([["plain.txt"], ["ünï/日本.txt"], ["\ud83d\ude00"], ["a\ufffdb"], ["tab\tand\nline"]])(
    "leads %j to bytes and back",
    (path) => {
      expect(pathOfBytes(bytesOfPath(path))).toBe(path);
    },
  );

  it("leads every pair of bytes to a path and back", () => {
    for (let first = 0; first < 256; first++)
      for (const second of [0x41, 0x80, 0xbf, 0xc3, 0xed, 0xf0, 0xff]) {
        const bytes = String.fromCharCode(first, second, 0xa0, 0x80);
        expect(bytesOfPath(pathOfBytes(bytes))).toBe(bytes);
      }
  });
});
