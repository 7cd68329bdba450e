import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { ownCommand } from "./own-command.ts";

describe("how the program is called", () => {
  it("is its name where a shell finds it by that, and else its path", () => {
    const { file, linked, stranger } = places();
    expect(ownCommand({ PATH: `/nowhere:${linked}` }, file)).toBe("guildhall");
    expect(ownCommand({ PATH: "/nowhere" }, file)).toBe(file);
    expect(ownCommand({}, file)).toBe(file);
    expect(ownCommand({ PATH: `${stranger}:${linked}` }, file)).toBe(file);
  });

  it("is its path where only npm finds it by its name, for as long as its command runs", () => {
    const { file, ofNpm } = places();
    expect(ownCommand({ PATH: ofNpm }, file)).toBe("guildhall");
    expect(ownCommand({ PATH: ofNpm, npm_execpath: "/npm" }, file)).toBe(file);
  });

  it("can be pasted whatever the folder is called", () => {
    expect(ownCommand({}, "/My Shop's 🛒/guildhall")).toBe("/My\\ Shop\\'s\\ \\🛒/guildhall");
  });
});

function places() {
  const folder = temporaryFolder();
  const program = (name: string) => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), 0o755);
    return join(folder, name);
  };
  const link = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    symlinkSync(file, join(folder, name, "guildhall"));
    return join(folder, name);
  };
  const file = program("clone/bin/guildhall");
  program("other/guildhall");
  return { file, linked: link("linked"), ofNpm: link("node_modules/.bin"), stranger: join(folder, "other") };
}
