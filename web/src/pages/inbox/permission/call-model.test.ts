import { expect, test } from "vitest";
import { shownCall } from "./call-model.ts";

test("a command is shown as it would run, with the rest of the input", () => {
  const input = JSON.stringify({ command: "npm test\n&& rm -rf dist", timeoutSeconds: 5, folder: "web" });
  expect(shownCall({ tool: "exec", input })).toEqual({
    ...{ kind: "command", command: "npm test\n&& rm -rf dist", isCut: false },
    others: "timeoutSeconds: 5\nfolder: web",
  });
});

test("an input that was cut is named as such, and shown as it was written", () => {
  const input = '{"command":"echo a; rm -r';
  expect(shownCall({ tool: "exec", input })).toEqual({ kind: "input", text: input, isCut: true });
});

test("of a field that is there twice, the one that counts is shown", () => {
  const input = '{"command":"echo harmless","note":"\\"command\\":\\"ls\\"","command":"rm -r ."}';
  expect(shownCall({ tool: "exec", input })).toMatchObject({ kind: "command", command: "rm -r ." });
});

test("a change is shown as a diff, and any other call with its whole input", () => {
  const edit = JSON.stringify({ path: "a.ts", oldText: "one", newText: "two", all: true });
  expect(shownCall({ tool: "edit", input: edit })).toMatchObject({
    ...{ kind: "edit", others: "all: true" },
    edit: { path: "a.ts", lines: [{ kind: "removed" }, { kind: "added" }] },
  });
  expect(shownCall({ tool: "web_fetch", input: '{"url":"https://a.example"}' })).toEqual({
    ...{ kind: "input", text: "https://a.example", isCut: false },
  });
  expect(shownCall({ tool: "exec", input: '{"command":7}' })).toMatchObject({ kind: "input" });
});

test("a write over a file is shown as what changes in it", () => {
  const input = JSON.stringify({ path: "a.txt", content: "one\ntwo\n" });
  const lines = [{ kind: "same" }, { kind: "added" }];
  const replaces = { bytes: 4, text: "one\n" };
  expect(shownCall({ tool: "write", input, replaces })).toMatchObject({ kind: "edit", edit: { lines } });
  expect(shownCall({ tool: "write", input })).toMatchObject({
    edit: { lines: [{ kind: "added" }, { kind: "added" }] },
  });
});
