import { expect, test } from "vitest";
import { commandIn } from "./hall-command.ts";

test.each([
  [undefined, "guildhall up"],
  ["/tmp/hall", "guildhall up --workspace /tmp/hall"],
  ["/tmp/.guildhall", "guildhall up --workspace /tmp/.guildhall"],
  ["/tmp/Ada's hall", "guildhall up --workspace '/tmp/Ada'\\''s hall'"],
])("the command for the workspace %s is %s", (workspace, command) => {
  expect(commandIn("up", workspace)).toBe(command);
});
