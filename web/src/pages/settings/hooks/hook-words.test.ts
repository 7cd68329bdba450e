import { expect, test } from "vitest";
import { commandLine } from "./hook-words.ts";

test("a command is shown so that where each argument ends is seen", () => {
  expect(commandLine(["./check.sh", "--all", "a b", "", "it's", "x;y"])).toBe(
    `./check.sh --all 'a b' '' 'it'\\''s' 'x;y'`,
  );
});
