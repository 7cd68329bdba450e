import { expect, test } from "vitest";
import { editOf } from "./edit-model.ts";

const shown = (name: string, input: object | string) =>
  editOf({ name, input: typeof input === "string" ? input : JSON.stringify(input) })?.lines.map(
    ({ kind, text }) => `${{ same: " ", added: "+", removed: "-" }[kind]}${text}`,
  );

test("An edit shows the lines that it removed and added, with those around them", () => {
  const input = { path: "a.ts", oldText: "one\ntwo\nthree", newText: "one\n2\nthree" };
  expect(shown("edit", input)).toEqual([" one", "-two", "+2", " three"]);
  expect(shown("edit", { path: "a.ts", oldText: "gone\n", newText: "" })).toEqual(["-gone"]);
});

test("A write shows the new content", () => {
  expect(shown("write", { path: "a.ts", content: "one\n<b>two</b>\n" })).toEqual(["+one", "+<b>two</b>"]);
});

test("A write over a file shows where lines between two changes are left out", () => {
  const before = Array.from({ length: 20 }, (_, at) => `${at}\n`).join("");
  const content = before.replace("0\n", "zero\n").replace("19\n", "last\n");
  const edit = editOf({ name: "write", input: JSON.stringify({ path: "a.ts", content }), before });
  expect(edit?.gaps.map((at) => edit.lines[at]?.text)).toEqual(["16"]);
  expect(editOf({ name: "write", input: JSON.stringify({ path: "a.ts", content }) })?.gaps).toEqual([]);
});

test("Other calls, cut input and very long texts are shown as they are", () => {
  expect(shown("exec", { command: "ls", path: "a", content: "x" })).toBeUndefined();
  expect(shown("edit", '{"path":"a.ts","oldText":"on')).toBeUndefined();
  expect(shown("edit", { path: "a.ts", oldText: "x" })).toBeUndefined();
  expect(shown("write", { path: "a.ts", content: "x\n".repeat(30_000) })).toBeUndefined();
  expect(shown("write", { path: "a.ts", content: "" })).toBeUndefined();
});
