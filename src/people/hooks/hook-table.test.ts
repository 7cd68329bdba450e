import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Config } from "../../contract/documents/config.ts";
import { Files } from "../../store/files/files.ts";
import { HookFiles } from "./hook-files.ts";
import { HookTable } from "./hook-table.ts";

it("a hook that shares its name with a built-in check is not switched off with it", () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "hooks"));
  writeFileSync(join(root, "hooks/plan-updated.yml"), "event: PreToolUse\ncommand: [a]\n");
  const off = new Set(["plan-updated"]);
  const table = new HookTable({
    builtIns: [{ name: "plan-updated", event: "TeammateIdle", description: "", check: async () => undefined }],
    settings: { look: () => ({ hooks: [] as Config["hooks"] }) as Config },
    files: new HookFiles(new Files(root)),
    switches: { of: (name) => (off.has(name) ? false : undefined), problems: () => [], stamp: () => `${off.size}` },
    ofRepository: () => [],
  });
  const enabled = () => table.list(undefined).map((hook) => [hook.name, hook.enabled]);
  expect(enabled()).toEqual([
    ["plan-updated", false],
    ["plan-updated-2", true],
  ]);
  off.add("plan-updated-2");
  expect(enabled()).toContainEqual(["plan-updated-2", false]);
});
