import { chmodSync } from "node:fs";
import { expect, it } from "vitest";
import { commandFolder } from "../../../test/harness/command-folder.ts";
import { sandboxesHere, whyNot } from "./probe.ts";

for (const sandbox of sandboxesHere("linux")) {
  const why = await whyNot(sandbox);
  const skipped = why === undefined ? "" : ` (skipped: ${why})`;
  it.skipIf(why !== undefined)(
    `${sandbox.name}: runs nothing once a secret was moved where no path reaches${skipped}`,
    async () => {
      const folder = commandFolder(sandbox, { "d/.env": "KEY=canary\n" });
      const root = folder.at(".").replace(/\/$/, "");
      // The folder's path fits, that of the file in it does not.
      const names: string[] = [];
      let left = 4_095 - root.length - "/d".length;
      while (left > 0) {
        const length = Math.min(200, left - 1);
        names.push("n".repeat(Math.max(1, length)));
        left -= length + 1;
      }
      const go = names.map((name) => `mkdir -p ${name} && cd ${name}`).join(" && ");
      const walk = names.map((name) => `cd ${name}`).join(" && ");
      const move = names.map(() => "..").join("/");
      const first = await folder.run(`${go} && mv ${move}/d . && cat d/.env; echo moved`);
      const second = await folder.run(`${walk}; cd d; cat .env; ls -la`);
      expect(first.output).toMatch(/moved$/);
      expect(first.output).not.toContain("canary");
      expect(second.output).toMatch(/too deep.*The command was not run/);
    },
  );

  it.skipIf(why !== undefined || process.getuid?.() === 0)(
    `${sandbox.name}: runs nothing where a command has closed a folder with a secret${skipped || " (root looks into every folder)"}`,
    async () => {
      const folder = commandFolder(sandbox, { "d/.env": "KEY=canary\n" });
      expect((await folder.run("chmod 000 d")).output).toMatch(/^Exit code 0/);
      const { output } = await folder.run("chmod 700 d; cat d/.env");
      chmodSync(folder.at("d"), 0o700);
      expect(output).toMatch(/unreadable.*The command was not run/);
    },
  );
}
