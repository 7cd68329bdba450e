import { expect, test } from "vitest";
import { pullRequestCommands, pushCommand } from "./push-commands.ts";

const delivery = { name: "guildhall/TASK-1-run-1", target: "main" };

test("a pull request is two commands, whatever the title holds", () => {
  const remote = { name: "origin", branch: "main" };
  expect(pullRequestCommands({ remote, delivery, title: "TASK-1: It's $(reboot) `x`\n--web \u202e😀" })).toEqual([
    "git push -u origin guildhall/TASK-1-run-1",
    "gh pr create --base main --head guildhall/TASK-1-run-1 --title 'TASK-1: It'\\''s $(reboot) `x` --web 😀' --body ''",
  ]);
  expect(pushCommand({ remote, delivery })).toBe("git push origin main");
});

test("a branch that is called otherwise there is named with both names", () => {
  expect(pushCommand({ remote: { name: "up", branch: "trunk" }, delivery })).toBe("git push up main:trunk");
});

test("a title cannot end the quotes, in fish neither", () => {
  const remote = { name: "origin", branch: "main" };
  const titled = (title: string) => pullRequestCommands({ remote, delivery, title })[1]?.split(" --title ")[1];
  expect(titled("a\\'; reboot #")).toBe("'a'\\''; reboot #' --body ''");
  expect(titled("C:\\x \\\\")).toBe("'C:\\x ' --body ''");
});
