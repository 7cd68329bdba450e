import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { readArtifact } from "./read-artifact.ts";

test("reads regular text files of the working folder, and nothing else", () => {
  const outside = temporaryFolder();
  const folder = temporaryFolder();
  mkdirSync(join(folder, "docs"));
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(outside, "secret.md"), "# Secret");
  writeFileSync(join(folder, "docs/guide.md"), "# Guide\n\nText");
  writeFileSync(join(folder, ".git/config"), "[core]");
  writeFileSync(join(folder, "empty.md"), " \n\n");
  writeFileSync(join(folder, "large.md"), "x".repeat(10_000_000));
  writeFileSync(join(folder, "image.png"), Buffer.from([0x89, 0x50, 0, 0xff]));
  symlinkSync(join(outside, "secret.md"), join(folder, "link.md"));
  symlinkSync(outside, join(folder, "linked"));
  linkSync(join(outside, "secret.md"), join(folder, "hard.md"));
  const reason = (path: string) => {
    const read = readArtifact(folder, path);
    return read.ok ? read.text : read.reason;
  };
  expect(readArtifact(folder, "./docs/guide.md")).toEqual({ ok: true, name: "guide.md", text: "# Guide\n\nText" });
  expect(reason("empty.md")).toContain("is empty");
  expect(reason("large.md")).toContain("larger than 1 MB");
  expect(reason("image.png")).toContain("not UTF-8 text");
  expect(reason("none.md")).toMatch(/no file|not found|There is no/i);
  expect(reason("docs")).toContain("folder");
  for (const path of ["../secret.md", join(outside, "secret.md"), ".git/config", "docs/../../x.md"])
    expect(reason(path), path).toContain("outside the working folder");
  for (const path of ["link.md", "linked/secret.md", "hard.md"]) expect(reason(path), path).not.toContain("# Secret");
});
