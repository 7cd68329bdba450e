import { describe, expect, it } from "vitest";
import type { KeyPress } from "../host.ts";
import { LineEditor, type Wish } from "./line-editor.ts";

type Key = string | Partial<KeyPress>;

/** Presses keys: a text is typed, anything else is one key. */
function press(editor: LineEditor, ...keys: Key[]): Wish | undefined {
  const all = keys.flatMap((key) => (typeof key === "string" ? Array.from(key, (text) => ({ text })) : [key]));
  return all.map((key) => editor.press({ ctrl: false, meta: false, ...key })).at(-1);
}

function typed(...keys: Key[]): [string, string] {
  const editor = new LineEditor();
  press(editor, ...keys);
  return [editor.before, editor.text.slice(editor.before.length)];
}

const ENTER = { name: "return" };
const LEFT = { name: "left" };
const UP = { name: "up" };
const DOWN = { name: "down" };
const ctrl = (name: string) => ({ name, ctrl: true });

describe("the line editor", () => {
  it.each<[string, Key[], [string, string]]>([
    ["types where the cursor is", ["ac", LEFT, "b"], ["ab", "c"]],
    ["moves by whole characters", ["a👩‍👩‍👧‍👦", LEFT, "x"], ["ax", "👩‍👩‍👧‍👦"]],
    ["erases by whole characters", ["a👩‍👩‍👧‍👦", { name: "backspace" }], ["a", ""]],
    ["erases after the cursor", ["abc", { name: "home" }, { name: "delete" }], ["", "bc"]],
    ["erases a word", ["one two  ", ctrl("w")], ["one ", ""]],
    ["erases to the beginning of the line", ["x\\", ENTER, "ab", LEFT, ctrl("u")], ["x\n", "b"]],
    ["erases to the end of the line", ["abc", ctrl("a"), ctrl("k")], ["", ""]],
    ["moves by words", ["one two", ctrl("left"), ctrl("left"), ctrl("right")], ["one", " two"]],
    ["goes to the ends", ["ab", { name: "home" }, "x", { name: "end" }, "y"], ["xaby", ""]],
    ["goes on in a new line after a backslash", ["a\\", ENTER, "b"], ["a\nb", ""]],
    ["goes on in a new line with Alt", ["a", { name: "return", meta: true }, "b"], ["a\nb", ""]],
    ["goes up and down within the text", ["ab\\", ENTER, "cd", UP, "x"], ["abx", "\ncd"]],
    ["takes Ctrl-D within a text for the delete key", ["ab", LEFT, ctrl("d")], ["a", ""]],
    ["takes no control characters", ["a", { text: "\u001b" }, { text: "\u0007" }, { text: "\t" }, "b"], ["a  b", ""]],
    ["leaves unknown keys alone", ["a", { name: "f5" }, ctrl("q"), { text: "x", meta: true }], ["a", ""]],
  ])("%s", (_, keys, expected) => {
    expect(typed(...keys)).toEqual(expected);
  });

  it("keeps the lines of what is pasted, and sends nothing of it", () => {
    const editor = new LineEditor();
    const paste = [{ name: "paste-start" }, "one", { text: "\r", name: "return" }, "two", { name: "paste-end" }];
    expect(press(editor, ...paste.slice(0, -1))).toBeUndefined();
    expect([editor.isPasting, editor.text]).toEqual([true, ""]);
    expect(press(editor, { name: "paste-end" })).toBeUndefined();
    expect([editor.isPasting, editor.text]).toEqual([false, "one\ntwo"]);
    expect(press(editor, ENTER)).toBe("submit");
  });

  it("tells what is wished for", () => {
    const editor = new LineEditor();
    expect(press(editor, ctrl("d"))).toBe("leave");
    expect(press(editor, ctrl("c"))).toBe("interrupt");
    expect(press(editor, ctrl("l"))).toBe("wipe");
    expect(press(editor, "x", ENTER)).toBe("submit");
    expect(editor.take()).toBe("x");
    expect(editor.text).toBe("");
  });

  it("brings back what was said, and the draft behind it", () => {
    const editor = new LineEditor(["first"]);
    press(editor, "second", ENTER);
    editor.take();
    press(editor, "draft", UP);
    expect(editor.text).toBe("second");
    press(editor, UP, UP);
    expect(editor.text).toBe("first");
    press(editor, DOWN, DOWN, DOWN);
    expect(editor.text).toBe("draft");
  });
});
