import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { scanLog } from "./log-reader.ts";

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join("");

describe("scanning a log", () => {
  it("tells each line with the offset from which a later scan can go on", () => {
    const path = place(lines("ä", "b", "", "日本"));
    const seen: [string, number][] = [];
    scanLog(path, 0, (text, offset) => seen.push([text, offset]) > 0);
    expect(seen).toEqual([
      ["ä", 0],
      ["b", 3],
      ["", 5],
      ["日本", 6],
    ]);
    for (const [position, [, offset]] of seen.entries()) {
      const rest: string[] = [];
      scanLog(path, offset, (text) => rest.push(text) > 0);
      expect(rest).toEqual(seen.slice(position).map(([text]) => text));
    }
  });

  it("stops when the visitor has seen enough, and leaves out a line that has no end", () => {
    const path = place("one\ntwo\nthree");
    const seen: string[] = [];
    scanLog(path, 0, (text) => seen.push(text) < 1);
    expect(seen).toEqual(["one"]);
    scanLog(path, 0, (text) => seen.push(text) > 0);
    expect(seen).toEqual(["one", "one", "two"]);
  });

  it("reads lines that lie across the pieces it reads in", () => {
    const texts = Array.from({ length: 40 }, (_, count) => "日".repeat(count * 997));
    const path = place(lines(...texts));
    const seen: string[] = [];
    scanLog(path, 0, (text) => seen.push(text) > 0);
    expect(seen).toEqual(texts);
  });
});

function place(content: string): string {
  const folder = temporaryFolder();
  const path = join(folder, "log.jsonl");
  writeFileSync(path, content);
  return path;
}
