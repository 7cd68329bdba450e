import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandFolder } from "../../../test/harness/command-folder.ts";
import { start } from "./launch.ts";
import { plainOrder, sandboxesHere, whyNot } from "./probe.ts";

for (const sandbox of sandboxesHere("linux")) {
  const why = await whyNot(sandbox);
  const skipped = why === undefined ? "" : ` (skipped: ${why})`;

  it.skipIf(why !== undefined)(
    `${sandbox.name}: shows nothing from outside when a protected folder becomes a link after it was found${skipped}`,
    async () => {
      const { above, at } = commandFolder(sandbox, { "a b/.vscode/settings.json": "{}", "c.txt": "c" });
      symlinkSync(join(above, "outside"), at(".idea"));
      const said = (name: string) => saidIn({ sandbox, workdir: at("."), name, hidden: above });
      expect(await said("a b/.vscode")).toEqual({ isSetUp: true, output: "settings.json\n" });
      expect(await said(".idea")).toMatchObject({ isSetUp: false, output: "" });
    },
  );
}

async function saidIn(of: { sandbox: Parameters<typeof start>[0]; workdir: string; name: string; hidden: string }) {
  const { sandbox, workdir, name, hidden } = of;
  const plain = plainOrder(sandbox, { command: `ls '${name}'`, workdir });
  const policy = { ...plain.policy, hidden: [join(hidden, "workspace")] };
  const order = { ...plain, policy, protectedPaths: [join(workdir, name)] };
  let output = "";
  const { isSetUp } = await start(sandbox, order, (chunk) => {
    output += chunk.toString();
  }).done;
  return { isSetUp, output };
}
