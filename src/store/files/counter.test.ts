import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Counter } from "./counter.ts";

describe("a counter", () => {
  it("starts at nothing and remembers what it was raised to", () => {
    const path = place();
    const counter = open(path);
    expect(counter.read()).toBe(0);
    counter.raiseTo(7);
    expect(counter.read()).toBe(7);
    expect(open(path).read()).toBe(7);
    expect(readFileSync(path, "utf8")).toBe("7\n");
  });

  it("never goes down", () => {
    const counter = open(place("12\n"));
    counter.raiseTo(3);
    expect(counter.read()).toBe(12);
  });

  it("sees what a person wrote while it was open", () => {
    const path = place("3\n");
    const counter = open(path);
    expect(counter.read()).toBe(3);
    writeFileSync(path, "400\n");
    expect(counter.read()).toBe(400);
    counter.raiseTo(401);
    expect(readFileSync(path, "utf8")).toBe("401\n");
  });

  it("sees what another one wrote", () => {
    const path = place();
    const [first, second] = [open(path), open(path)];
    first.raiseTo(5);
    second.raiseTo(9);
    expect(first.read()).toBe(9);
    first.raiseTo(6);
    expect(second.read()).toBe(9);
  });

  it("counts on after the file was deleted or replaced", () => {
    const path = place("5\n");
    const counter = open(path);
    counter.raiseTo(6);
    rmSync(path);
    expect(counter.read()).toBe(0);
    counter.raiseTo(8);
    expect(readFileSync(path, "utf8")).toBe("8\n");
  });

  it.each([
    ["nothing", "", 0],
    ["words", "many\n", 0],
    ["a negative number", "-4\n", 0],
    ["a number with a fraction", "4.5\n", 0],
    ["a number too large to count on", "9999999999999\n", 0],
    ["NUL bytes", "\0\0\0\0", 0],
    ["leading zeros", "007", 7],
    ["blanks around it", "  5   \n\n", 5],
    ["what an interrupted write left behind", "8\n17\n", 8],
  ])("reads %s as what it can be", (_name, content, value) => {
    expect(open(place(content)).read()).toBe(value);
  });

  it("says after any text and any raise what it was raised to, also to the next who opens it", () => {
    const text = fc.oneof(fc.stringMatching(/^[\s0-9]{0,20}$/), fc.string({ maxLength: 20 }));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 999_999_999 }), (content, value) => {
        const path = place(content);
        const counter = counterAt(path);
        const wanted = Math.max(counter.read(), value);
        counter.raiseTo(value);
        counter.close();
        const again = counterAt(path);
        expect(again.read()).toBe(wanted);
        again.close();
      }),
      { numRuns: 300 },
    );
  });

  it("refuses a link, a folder and a pipe, and does not wait for any of them", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "outside"), "3\n");
    symlinkSync(join(folder, "outside"), join(folder, "link"));
    symlinkSync("circle", join(folder, "circle"));
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["link", "circle", "folder", "pipe"]) {
      expect(() => counterAt(join(folder, name), name).raiseTo(9), name).toThrow(`'${name}' is not a regular file`);
    }
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("3\n");
  });
});

function counterAt(path: string, shown = "mark"): Counter {
  return new Counter({ path, shown, reach: (openAt) => openAt(path) });
}

function open(path: string): Counter {
  const counter = counterAt(path);
  onTestFinished(() => counter.close());
  return counter;
}

function place(content?: string): string {
  const path = join(temporaryFolder(), "mark");
  if (content !== undefined) writeFileSync(path, content);
  return path;
}
