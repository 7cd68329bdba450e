import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { editFrontmatter, parseFrontmatter, renderFrontmatter } from "./frontmatter.ts";
import { readBody, writeSection, writeTitle } from "./sections.ts";

/** Text that makes careless patterns search again and again: a prefix, many units, a suffix. */
const shapes: [name: string, prefix: string, unit: string, suffix: string][] = [
  ["letters", "", "a", "!"],
  ["stars and slashes", "", "**/", "x"],
  ["groups", "", "+(a|aa)", "b"],
  ["open brackets", "", "[", ""],
  ["open braces", "", "{a: ", ""],
  ["emphasis", "", "*_", ""],
  ["backticks", "", "`a``", ""],
  ["comments", "<!--", "<!-", ""],
  ["line breaks", "x", "\n", "x"],
  ["carriage returns", "x", "\r", "x"],
  ["spaces", "x", " ", "x"],
  ["host names", "http://", "a.", ""],
  ["dates", "", "2026-", ""],
  ["digits", "", "1", "x"],
  ["schedules", "", "*/1,", " * * * *"],
  ["tokens", "", "eyJ", "."],
  ["paths", "", "a/", ""],
  ["backslashes", '"', "\\", ""],
  ["quotes", "", "'\\''", ""],
  ["hashes", "", "#", ""],
  ["headings", "", "## Notes\n", ""],
  ["escaped headings", "", "\\## Notes\n", ""],
  ["dashes", "", "\n---x", ""],
  ["keys", "", "k: v\n", ""],
  ["items", "", "- a\n", ""],
  ["aliases", "&a ", "*a ", ""],
];

const known = ["Description", "Notes"];

const jobs: [name: string, run: (text: string) => unknown][] = [
  ["reading a frontmatter", (text) => parseFrontmatter(`---\n${text}\n---\n`)],
  ["reading a value", (text) => parseFrontmatter(`---\na: ${text}\n---\n`)],
  ["reading a list", (text) => parseFrontmatter(`---\na: [${text}]\n---\n`)],
  ["reading a block scalar", (text) => parseFrontmatter(`---\na: |\n  ${text.replaceAll("\n", "\n  ")}\n---\n`)],
  ["looking for the fence", (text) => parseFrontmatter(`---\n${text}`)],
  ["writing a value", (text) => parseFrontmatter(renderFrontmatter({ a: text, b: [text] }))],
  ["changing a value", (text) => editFrontmatter("---\na: 1\nb: [2]\n---\n", { a: text, b: [{ c: text }] })],
  ["changing a file with a long body", (text) => editFrontmatter(`---\na: 1\n---\n${text}`, { a: 2 })],
  ["reading sections", (text) => readBody(`\n# T\n${text}\n## Notes\n${text}`, known)],
  [
    "writing a section",
    (text) => writeSection(`\n# T\n## Notes\n${text}`, { name: "Notes", content: `${text}!`, known }),
  ],
  ["adding a section", (text) => writeSection(text, { name: "Description", content: text, known })],
  ["writing a title", (text) => writeTitle(text, text)],
];

const SIZE = 8_000;
const FACTOR = 4;
/** Quadratic work takes sixteen times as long on four times the text. */
const BOUND = 12;
/** Milliseconds for which nobody waits, and below which the machine decides; a square of this size takes far longer. */
const NOISE = 30;
const ROUNDS = 8;

describe.each(jobs)("%s takes time in proportion to the text", (_name, run) => {
  it.each(shapes)("of %s", (_shape, prefix, unit, suffix) => {
    const text = (size: number) => prefix + unit.repeat(size / unit.length) + suffix;
    const [small, large] = [text(SIZE), text(SIZE * FACTOR)];
    expect(
      ratioOfBest(
        () => run(small),
        () => run(large),
      ),
    ).toBeLessThan(BOUND);
  });
});

/** Of processor time, only the best of each counts, and one good round is enough. */
function ratioOfBest(small: () => unknown, large: () => unknown): number {
  let fast = Number.POSITIVE_INFINITY;
  let slow = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    slow = Math.min(slow, duration(large));
    if (slow < NOISE) return 1;
    fast = Math.min(fast, duration(small));
    if (slow / fast < BOUND) break;
  }
  return slow / fast;
}

function duration(work: () => unknown): number {
  const passed = cpuTimer();
  work();
  return passed();
}
