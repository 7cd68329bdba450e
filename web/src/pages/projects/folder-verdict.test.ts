import { describe, expect, test } from "vitest";
import { Failure } from "../../api/failure.ts";
import { folderAround, folderVerdict } from "./folder-verdict.ts";

const found = { path: "/srv/shop", isGit: true, folders: [], more: false };
const failure = (code: string, message: string) => new Failure({ code, message, status: 404 });
const looked = { typed: "/srv/shop", asked: "/srv/shop", found: undefined, error: null };

describe("a folder that was typed", () => {
  test.each([
    ["nothing", { ...looked, typed: "" }, true, undefined],
    ["a repository", { ...looked, found }, true, "✓ git repository"],
    ["a folder", { ...looked, found: { ...found, isGit: false } }, true, "✓ folder, no git"],
    ["one that is not asked for yet", { ...looked, asked: "/srv", found }, false, "Checking…"],
    ["one that is asked for", looked, false, "Checking…"],
    [
      "a refused one",
      { ...looked, found: { ...found, refused: "it holds the workspace" } },
      false,
      "It holds the workspace",
    ],
    ["none", { ...looked, error: failure("file_not_found", "x") }, false, "Folder not found."],
    [
      "half a path",
      { ...looked, typed: "srv", asked: "srv", error: failure("invalid", "Reworded.") },
      false,
      "Enter an absolute path, starting with /.",
    ],
    [
      "a file",
      { ...looked, error: failure("invalid", "path: '/srv/shop' is not a folder.") },
      false,
      "'/srv/shop' is not a folder.",
    ],
  ])("%s", (_, seen, isUsable, text) => {
    expect(folderVerdict(seen)).toMatchObject({ isUsable, text });
  });

  test("is looked for in the folder around it while it is not there", () => {
    expect(["/srv/sho", "/srv/", "/", "sho"].map(folderAround)).toEqual(["/srv", "/", "/", "/"]);
  });
});
