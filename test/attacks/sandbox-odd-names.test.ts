import { expect, it } from "vitest";
import { commandFolder } from "../harness/command-folder.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { inEverySandbox } from "../harness/working-sandboxes.ts";

/** Spaces of several kinds and lengths, what separates fields in tables of mounts, and what shells treat specially. */
const NAMES = ["a b\tc\nd", "wide\u3000space", "no\u00a0break", "line\u2028end", "it's $(x) \\040 #1", "🦀 [*] -n"];

await inEverySandbox((sandbox) => {
  it.each(NAMES)("runs commands in a folder called %j, and hides secrets in it", async (name) => {
    const workdir = `${temporaryFolder()}/${name}`;
    const { said } = commandFolder(sandbox, { [`${name}/.env`]: "canary\n", "a.txt": "a\n" }, { workdir });
    expect(await said("cat a.txt */.env; echo b > b.txt && cat b.txt")).toBe("a\nb");
  });
});
