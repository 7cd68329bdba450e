import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { type GitSetting, keyOf, settingsIn, writtenSetting } from "../../store/git/git-config.ts";
import { vettedConfig } from "./vetted-config.ts";

const AWKWARD = [
  '[core]\n\tbare = false ; a comment\n\tname = "a ; b" # another\n\tspaces = a   b  \n',
  '[a "x \\"y\\" \\\\z"]\n\tk = "q\\tr\\nend"\n[A.Sub]\n\tKey = V\n',
  '[core]\n\tlong = one \\\n two\n\tflag\n\tempty =\n[filter ""]\n\tclean = x\n',
  '\ufeff[core] bare = true\n[core]\nx=1\n[remote "o"]\r\n\turl = https://a:b@c/d#e\r\n',
  "",
  "# nothing\n; at all",
];
const BROKEN = ["[core\nx = 1\n", '[core]\nx = "open\n', "[core]\nx = \\q\n", "[core]\n9x = 1\n"];

/** What git itself reads in the text; undefined when it refuses it. */
function byGit(text: string): { key: string; value: string }[] | undefined {
  const file = join(temporaryFolder(), "config");
  writeFileSync(file, text);
  try {
    const out = execFileSync("git", ["config", "--file", file, "--null", "--list"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return out
      .split("\0")
      .slice(0, -1)
      .map((entry) => {
        const [key = "", ...value] = entry.split("\n");
        return { key, value: value.length === 0 ? "true" : value.join("\n") };
      });
  } catch {
    return undefined;
  }
}

const read = (text: string) =>
  settingsIn(text)?.map((setting: GitSetting) => ({ key: keyOf(setting), value: setting.value }));

describe("a git configuration", () => {
  it.each(AWKWARD)("is read as git reads it: %j", (text) => {
    expect(read(text)).toEqual(byGit(text));
  });

  it.each(BROKEN)("is refused where git refuses it: %j", (text) => {
    expect([read(text), byGit(text)]).toEqual([undefined, undefined]);
  });

  it("is written so that git reads it back", () => {
    const value = 'a "b" \\ c\n# ; d\t';
    const written = writtenSetting({ section: "a", subsection: 'x "y" \\', name: "k", value });
    expect(byGit(written)).toEqual([{ key: 'a.x "y" \\.k', value }]);
  });
});

describe("what git is told of a repository", () => {
  const told = (...repository: string[]) => vettedConfig({ repository, person: ["[core]\n\tautocrlf = input\n"] });

  it("holds settings of how files are kept, the later ones and the repository's first", () => {
    const text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tautocrlf = true\n";
    expect(told(text, "[core]\n\tfilemode = true\n")).toEqual({
      text: '[core]\n\tautocrlf = "true"\n[core]\n\trepositoryformatversion = "0"\n[core]\n\tfilemode = "true"\n',
    });
  });

  it("holds nothing else, and no value of another kind", () => {
    const hostile = [
      '[filter "x"]\n\tclean = evil\n[include]\n\tpath = evil\n[hook "x"]\n\tcommand = evil\n[core]\n\tfsmonitor = evil\n',
      "[core]\n\tfilemode = evil\n\tautocrlf = !evil\n\tsharedrepository = a b\n\thookspath = evil\n\tworktree = /\n",
    ];
    expect(told(...hostile)).toEqual({ text: '[core]\n\tautocrlf = "input"\n' });
  });

  it.each([
    ["a format that git could not read either", "[core\n", /invalid format/],
    ["an extension that changes how a repository is kept", "[extensions]\n\tfuture = true\n", /'extensions.future'/],
  ])("is refused for %s", (_, text, why) => {
    expect(told(text)).toEqual({ refused: expect.stringMatching(why) });
  });
});
