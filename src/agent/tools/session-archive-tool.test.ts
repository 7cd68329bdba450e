import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { message } from "../../../test/fakes/resident.ts";
import { filesOver } from "../../../test/harness/temporary-folder.ts";
import type { SessionEntry } from "../../contract/runs/session.ts";
import { sessionArchiveTool } from "./session-archive-tool.ts";

const at = "2026-11-15T12:00:00.000Z";
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const OLD = "2026-11-01T12-00-00.000Z.jsonl";
const NEW = "2026-11-02T12-00-00.000Z.poisoned.jsonl";

function said(id: string): SessionEntry {
  return { type: "message", ...message(id) };
}

function toolOver(contents: Record<string, SessionEntry[]>) {
  const { files, root } = filesOver("session");
  for (const [name, entries] of Object.entries(contents))
    writeFileSync(join(root, "session", name), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  const read = sessionArchiveTool(files);
  return (input: object) => read.run(JSON.stringify(input), { callId: "1", signal: new AbortController().signal });
}

it("tells which files there are and shows the end of the newest, who said what and what was done", async () => {
  const calls = [{ id: "1", name: "look", input: '{"path":"a"}' }];
  const answer: SessionEntry = {
    type: "answer",
    text: "I look.",
    calls,
    finish: "calls",
    model: "m",
    usage,
    costUsd: 0,
    at,
  };
  const result: SessionEntry = { type: "result", id: "1", name: "look", output: "x".repeat(5_000) };
  const ended: SessionEntry = { type: "ended", messageId: "b", outcome: "failed", error: "No room.", at };
  const { output } = await toolOver({ [OLD]: [said("a")], [NEW]: [said("b"), answer, result, ended] })({});
  expect(output.replaceAll("x".repeat(500), "x…x").split("\n")).toEqual([
    "Earlier session files, newest first:",
    expect.stringContaining(NEW),
    expect.stringContaining(OLD),
    "",
    `${NEW}:`,
    "(start of the file)",
    `${at} the person, cli/default: b`,
    `${at} you: I look.`,
    '  → look {"path":"a"}',
    "  look: x…x… (4500 more characters)",
    `${at} (failed: No room.)`,
  ]);
});

it("goes back page by page until it has shown every line once, also of the file that is current", async () => {
  const ids = Array.from({ length: 500 }, (_, number) => `m${number}-${"word ".repeat(40)}`);
  const read = toolOver({ "current.jsonl": ids.map(said) });
  const pages: string[] = [];
  for (let before: number | undefined; pages.length < 50; ) {
    const { output } = await read({ file: "current.jsonl", ...(before === undefined ? {} : { before }) });
    expect(Buffer.byteLength(output)).toBeLessThan(60_000);
    pages.unshift(output);
    const next = /before (\d+)\)/.exec(output)?.[1];
    if (next === undefined) break;
    before = Number(next);
  }
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.join("\n").match(/: m\d+-/g)).toEqual(ids.map((_, number) => `: m${number}-`));
});

it("reaches no other file", async () => {
  const read = toolOver({ "current.jsonl": [said("a")] });
  for (const file of [
    "../PROJECT.md",
    "/etc/passwd",
    "next.jsonl",
    "current.jsonl/../../x",
    "2026-11-15T12-00-00.000Z.jsonl/..",
  ])
    expect(await read({ file })).toMatchObject({ failed: true });
  expect(await read({ file: OLD })).toMatchObject({ output: `(nothing more in ${OLD})` });
  expect((await read({})).output).toContain("one file so far");
});
