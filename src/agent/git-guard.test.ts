import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { Files } from "../store/files/files.ts";
import type { SetAside, Swept } from "../store/git/git-sweep.ts";
import { type CensusLimit, GitGuard, guarded, type SharedCensus } from "./git-guard.ts";

function stage() {
  const folder = temporaryFolder();
  const notes = new Files(temporaryFolder());
  mkdirSync(join(notes.root, "runs"));
  const told: SetAside[][] = [];
  const limits: CensusLimit[] = [];
  /** How often another project's commands start meanwhile. */
  const others = { entering: 0 };
  const shared: SharedCensus = {
    begin: async () => ({ after: 0, limits }),
    end: async () => others.entering-- <= 0,
  };
  const onSetAside = ({ found }: Swept) => void told.push([...found]);
  const guard = () => new GitGuard({ folder, notes, shared, onSetAside });
  const at = (path: string) => join(folder, path);
  const makeRepository = (path: string) => {
    for (const name of ["objects", "refs", "hooks"]) mkdirSync(join(at(path), name), { recursive: true });
    writeFileSync(join(at(path), "HEAD"), "ref: refs/heads/main\n");
  };
  return { folder, notes, told, guard, at, makeRepository, limits, others };
}

describe("a guard against repositories in a plain folder", () => {
  it("renames what is new at any depth, whatever it is, and leaves the rest", async () => {
    const { guard, at, makeRepository, told } = stage();
    makeRepository("mine/.git");
    makeRepository("mine/bare");
    const outside = temporaryFolder();
    const { left } = await guarded([guard()], async () => {
      makeRepository(".git");
      makeRepository("node_modules/x/.git/modules/y");
      makeRepository("bare");
      mkdirSync(at("file"));
      writeFileSync(at("file/.git"), "gitdir: /elsewhere\n");
      mkdirSync(at("link"));
      symlinkSync(outside, at("link/.git"));
      const odd = Buffer.from(at("odd-\xff"), "latin1");
      mkdirSync(odd);
      writeFileSync(Buffer.concat([odd, Buffer.from("/.Git")]), "gitdir: /x\n");
      renameSync(at("mine"), at("moved"));
    });
    const [found = []] = told;
    expect(found).toHaveLength(8);
    expect(found.every(({ to }) => to !== undefined)).toBe(true);
    expect(left.join()).toContain("Renamed:");
    expect(
      [".git", "node_modules/x/.git", "bare/HEAD", "file/.git", "link/.git"].filter((p) => existsSync(at(p))),
    ).toEqual([]);
    expect([existsSync(at("moved/.git/HEAD")), existsSync(at("moved/bare/HEAD"))]).toEqual([true, true]);
    const link = found.find(({ path }) => path === "link/.git")?.to ?? "";
    expect([lstatSync(at(link)).isSymbolicLink(), readlinkSync(at(link))]).toEqual([true, outside]);
    const kept = found.find(({ path }) => path === ".git")?.to ?? "";
    expect(readdirSync(at(kept)).some((name) => name.startsWith("HEAD.set-aside-"))).toBe(true);
  });

  it("renames the part of a repository that names the folder with the rest of it", async () => {
    const { guard, at, makeRepository } = stage();
    await guarded([guard()], async () => {
      makeRepository("rest");
      mkdirSync(at("part"));
      renameSync(at("rest/HEAD"), at("part/HEAD"));
      writeFileSync(at("part/commondir"), "../rest\n");
    });
    expect(readdirSync(at("part")).includes("HEAD")).toBe(false);
  });

  it("tells when it could not search every folder", async () => {
    const { guard, at, told } = stage();
    await guarded([guard()], async () => {
      // Deeper than a path can name.
      const script =
        'd=$(printf "%0200d" 0); i=0; while [ $i -lt 30 ]; do mkdir $d && cd -P $d || exit 1; i=$((i+1)); done';
      execFileSync("bash", ["-c", script], { cwd: at(".") });
    });
    execFileSync("rm", ["-rf", "--", at(".")]);
    expect(told).toEqual([[]]);
  });

  it("waits for the last of several commands, and sweeps after one that throws", async () => {
    const { guard, at, makeRepository } = stage();
    const one = guard();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = guarded([one], () => promise);
    await guarded([one], async () => makeRepository("used/.git"));
    expect(existsSync(at("used/.git/HEAD"))).toBe(true);
    resolve();
    expect((await long).left.join()).toContain("used/.git");
    const failing = guarded([one], async () => {
      makeRepository("again/.git");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(existsSync(at("again/.git"))).toBe(false);
  });

  it("goes on after a crash with what was there before the command, and lets the person's own alone", async () => {
    const { guard, at, makeRepository, told } = stage();
    makeRepository("mine/.git");
    await guard().enter();
    makeRepository("left/.git");
    guard().recover();
    expect([existsSync(at("left/.git")), existsSync(at("mine/.git/HEAD"))]).toEqual([false, true]);
    expect(told[0]?.map(({ path }) => path)).toContain("left/.git");
    // Made by the person while no command was at work.
    makeRepository("later/.git");
    guard().recover();
    await guarded([guard()], async () => undefined);
    expect(existsSync(at("later/.git/HEAD"))).toBe(true);
  });

  it("does not count what commands of another project made in the same folder, or a part of it", async () => {
    const { guard, at, makeRepository, limits } = stage();
    makeRepository("mine/.git");
    makeRepository("part/.git");
    makeRepository("part/bare");
    limits.push({ below: "part", known: [] });
    await guarded([guard()], async () => undefined);
    expect([existsSync(at("mine/.git/HEAD")), existsSync(at("part/.git")), existsSync(at("part/bare/HEAD"))]).toEqual([
      ...[true, false, false],
    ]);
    limits.push({ below: "", known: [] });
    await guarded([guard()], async () => undefined);
    expect(existsSync(at("mine/.git"))).toBe(false);
  });

  it("looks again when commands of another project start meanwhile, and refuses when they never stop to", async () => {
    const { guard, notes, at, makeRepository, others } = stage();
    makeRepository("mine/.git");
    others.entering = 3;
    expect(await guarded([guard()], async () => "ran")).toMatchObject({ ended: "ran" });
    others.entering = Number.POSITIVE_INFINITY;
    await expect(guarded([guard()], async () => "ran")).rejects.toThrow("keeps running commands");
    expect([existsSync(at("mine/.git/HEAD")), notes.names("runs")]).toEqual([true, []]);
  });

  it("leaves a folder alone that was put in place of the one in which a command ran", async () => {
    const { folder, guard, at, makeRepository, notes } = stage();
    await guard().enter();
    renameSync(folder, join(temporaryFolder(), "moved"));
    guard().recover();
    expect(notes.names("runs")).toHaveLength(1);
    mkdirSync(folder);
    makeRepository("theirs/.git");
    guard().recover();
    expect([existsSync(at("theirs/.git/HEAD")), notes.names("runs")]).toEqual([true, []]);
  });
});
