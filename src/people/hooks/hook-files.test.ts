import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "../../store/files/files.ts";
import { HookFiles } from "./hook-files.ts";

function opened() {
  const root = temporaryFolder();
  mkdirSync(join(root, "hooks"));
  const write = (name: string, text: string) => writeFileSync(join(root, "hooks", name), text);
  return { root, write, files: new HookFiles(new Files(root)) };
}

it.each([
  ['{"event": "PreToolUse", "command": ["true"], "timeout": 5}'],
  ["{ command: [true, x], event: PreToolUse"],
  ["# A guard\n---\n- event: PreToolUse\n  command: [a]\n"],
  ["event: pretooluse\ncommand: [a]\n"],
  ["event:\n  PreToolUse\ncommand: []\n"],
  ["on: PreToolUse\ncommand: [a]\r\n"],
])("a file that can't be used refuses the event that it names: %j", (text) => {
  const { write, files } = opened();
  write("guard.yml", text);
  const { hooks, problems } = files.list();
  expect(hooks).toMatchObject([{ name: "guard", event: "PreToolUse", action: { kind: "broken" }, onError: "refuse" }]);
  expect(problems).toHaveLength(1);
});

it("a guard that was read keeps its content while a link is in its place, and a new link is a problem", () => {
  const { root, write, files } = opened();
  const path = join(root, "hooks/guard.yml");
  write("guard.yml", "event: PreToolUse\ncommand: [a]\n");
  expect(files.list().problems).toEqual([]);
  rmSync(path);
  symlinkSync("nowhere", path);
  expect(files.list().hooks).toMatchObject([{ name: "guard", event: "PreToolUse", action: { kind: "command" } }]);
  symlinkSync("nowhere", join(root, "hooks/other.yml"));
  write("empty.yml", "");
  expect(files.list().problems.map(({ file }) => file)).toEqual([
    ...["hooks/empty.yml", "hooks/guard.yml", "hooks/other.yml"],
  ]);
});

it("every file counts, however many there are", () => {
  const { write, files } = opened();
  for (let number = 0; number < 130; number++) write(`guard-${number}.yml`, "event: PreToolUse\ncommand: [a]\n");
  expect(files.list().hooks).toHaveLength(130);
});
