import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "../files/files.ts";

/** A workspace whose file of lines was appended to so often that it is held open. */
function heldLines() {
  const outside = temporaryFolder();
  const folder = temporaryFolder();
  const files = new Files(folder);
  files.makeFolder("events");
  const append = (text: string) => files.appendBytes("events/day.jsonl", Buffer.from(`${text}\n`));
  for (const text of ["one", "two", "three"]) append(text);
  const at = (...names: string[]) => join(folder, ...names);
  const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");
  return { outside, folder, files, append, at, linesOf };
}

describe("files of lines that are held open", () => {
  it("answer where each line begins", () => {
    const { append, at, linesOf } = heldLines();
    expect([append("four"), append("five")]).toEqual([14, 19]);
    expect(linesOf(at("events/day.jsonl"))).toEqual(["one", "two", "three", "four", "five"]);
  });

  it("are opened again when they were removed or replaced", () => {
    const { append, at, linesOf } = heldLines();
    rmSync(at("events/day.jsonl"));
    expect(append("four")).toBe(0);
    append("five");
    append("six");
    writeFileSync(at("other"), "edited\n");
    renameSync(at("other"), at("events/day.jsonl"));
    expect(append("seven")).toBe(7);
    expect(linesOf(at("events/day.jsonl"))).toEqual(["edited", "seven"]);
  });

  it("take what others append to them or cut off", () => {
    const { append, at, linesOf } = heldLines();
    writeFileSync(at("events/day.jsonl"), "by hand\n");
    expect(append("four")).toBe(8);
    expect(linesOf(at("events/day.jsonl"))).toEqual(["by hand", "four"]);
  });

  it("are opened again when their folder was moved and another is in its place", () => {
    const { append, at, linesOf } = heldLines();
    renameSync(at("events"), at("moved"));
    mkdirSync(at("events"));
    expect(append("four")).toBe(0);
    expect(linesOf(at("moved/day.jsonl"))).toEqual(["one", "two", "three"]);
    expect(linesOf(at("events/day.jsonl"))).toEqual(["four"]);
  });

  it("are not written to through a link that leads out of the workspace to the very same file", () => {
    const { outside, append, at, linesOf } = heldLines();
    renameSync(at("events"), join(outside, "events"));
    symlinkSync(join(outside, "events"), at("events"));
    expect(() => append("four")).toThrow(/leads outside/);
    expect(linesOf(join(outside, "events/day.jsonl"))).toEqual(["one", "two", "three"]);
  });

  it("are not written to when a link was put in their place, though it leads to the same file", () => {
    const { append, at, linesOf } = heldLines();
    renameSync(at("events/day.jsonl"), at("elsewhere.jsonl"));
    symlinkSync(at("elsewhere.jsonl"), at("events/day.jsonl"));
    expect(() => append("four")).toThrow(/ELOOP/);
    expect(linesOf(at("elsewhere.jsonl"))).toEqual(["one", "two", "three"]);
  });

  it("count by the name they were opened under, whatever other names they have", () => {
    const { append, at, linesOf } = heldLines();
    linkSync(at("events/day.jsonl"), at("second-name"));
    rmSync(at("events/day.jsonl"));
    expect(append("four")).toBe(0);
    expect(linesOf(at("second-name"))).toEqual(["one", "two", "three"]);
  });

  it("are never more than some: more files than are held open at once can be appended to in turn", () => {
    const { files } = heldLines();
    const paths = Array.from({ length: 200 }, (_, at) => `events/${at}.jsonl`);
    for (const text of ["a", "b", "c"]) for (const path of paths) files.appendBytes(path, Buffer.from(`${text}\n`));
    expect(paths.map((path) => files.text(path))).toEqual(paths.map(() => "a\nb\nc\n"));
  });
});
