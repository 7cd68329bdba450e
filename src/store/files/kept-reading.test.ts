import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KeptReading } from "./kept-reading.ts";

let folder: string;
let file: string;
let reads: number;
/** Later than what the tests write, by so much. */
let later: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-kept-"));
  file = join(folder, "note.txt");
  reads = 0;
  later = 10_000;
});
afterEach(() => rmSync(folder, { recursive: true }));

function open<Value>(read: () => Value, most = 10) {
  const kept = new KeptReading<Value>(most, () => Date.now() + later);
  return (path = file) =>
    kept.of(path, () => {
      reads++;
      return read();
    });
}

const text = () => readFileSync(file, "utf8");

it("reads a file once for as long as it stays the same", () => {
  writeFileSync(file, "one");
  const look = open(text);
  expect([look(), look(), look()]).toEqual(["one", "one", "one"]);
  expect(reads).toBe(1);
});

it("reads a file again that was replaced, removed or made again", () => {
  writeFileSync(file, "one");
  const look = open(() => (statSync(file, { throwIfNoEntry: false }) === undefined ? "none" : text()));
  expect(look()).toBe("one");
  writeFileSync(file, "longer");
  expect(look()).toBe("longer");
  rmSync(file);
  expect([look(), look()]).toEqual(["none", "none"]);
  writeFileSync(file, "longer");
  expect(look()).toBe("longer");
});

it("reads a file again although its time and size were set back", () => {
  writeFileSync(file, "one");
  utimesSync(file, 1_000, 1_000);
  const look = open(text);
  expect(look()).toBe("one");
  const { ctimeMs } = statSync(file);
  do {
    writeFileSync(file, "two");
    utimesSync(file, 1_000, 1_000);
  } while (statSync(file).ctimeMs === ctimeMs);
  expect(look()).toBe("two");
});

it("keeps nothing of a file that was changed a moment ago", () => {
  later = 0;
  writeFileSync(file, "one");
  const look = open(text);
  expect([look(), look()]).toEqual(["one", "one"]);
  expect(reads).toBe(2);
});

it("lists a folder again when something was put into it", () => {
  mkdirSync(join(folder, "in"));
  const look = open(() => readdirSync(join(folder, "in")));
  expect([look(join(folder, "in")), look(join(folder, "in"))]).toEqual([[], []]);
  expect(reads).toBe(1);
  const { ctimeMs } = statSync(join(folder, "in"));
  do {
    writeFileSync(join(folder, "in", "new"), "");
    rmSync(join(folder, "in", "old"), { force: true });
    writeFileSync(join(folder, "in", "old"), "");
  } while (statSync(join(folder, "in")).ctimeMs === ctimeMs);
  expect(look(join(folder, "in"))).toEqual(["new", "old"]);
});

it("keeps nothing of a failure", () => {
  writeFileSync(file, "one");
  let isFailing = true;
  const look = open(() => {
    if (isFailing) throw new Error("EIO");
    return text();
  });
  expect(look).toThrow("EIO");
  isFailing = false;
  expect(look()).toBe("one");
});

it("keeps only so many", () => {
  const look = open(() => 0, 2);
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, name), "");
  for (const name of ["a", "b", "c", "a", "c"]) look(join(folder, name));
  expect(reads).toBe(4);
});
