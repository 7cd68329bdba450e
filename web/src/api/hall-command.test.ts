import { expect, test } from "vitest";
import { commandOf } from "./hall-command.ts";

test.each([
  [undefined, "guildhall up"],
  ["/tmp/hall", "guildhall up --workspace /tmp/hall"],
  ["/tmp/.guildhall", "guildhall up --workspace /tmp/.guildhall"],
  ["/tmp/Ada's hall", "guildhall up --workspace '/tmp/Ada'\\''s hall'"],
])("the command for the workspace %s is %s", (workspace, command) => {
  expect(commandOf("up", { workspace })).toBe(command);
});

test("the command names the program as it is called on its machine", () => {
  const calledAs = "/home/ada/My\\ hall/bin/guildhall";
  expect(commandOf("up", { calledAs })).toBe(`${calledAs} up`);
  expect(commandOf("up", { calledAs, workspace: "/tmp/hall" })).toBe(`${calledAs} up --workspace /tmp/hall`);
});
