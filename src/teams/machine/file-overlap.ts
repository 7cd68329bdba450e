import { fitsPath, type PathPattern, pathPattern } from "../../store/wildcards.ts";

/** `any`: any number of names. A name with wildcards is kept as text, for a comparison with another, and as a test. */
type Part = { any: true } | { any: false; name: string; test?: PathPattern };
type Glob = readonly Part[];

const SIGNS = /[*?[]/;
const EXTENSION = /\.[a-z][a-z0-9]{0,9}$/;

/**
 * Whether tasks may be at work at the same time. A task without files may change anything, and so is never beside another one
 * like it; beside a task with known files it is trusted to keep away from them.
 */
export function canWorkTogether(files: readonly string[], others: readonly string[]): boolean {
  if (files.length === 0 || others.length === 0) return files.length !== others.length;
  return !filesOverlap(files, others);
}

/** Whether a file can exist that both lists of globs name. Where that is hard to tell, they overlap. */
export function filesOverlap(files: readonly string[], others: readonly string[]): boolean {
  const globs = globsOf(others);
  return globsOf(files).some((glob) => globs.some((other) => meet(glob, other)));
}

/** The lists of a plan do not change: each is read once. */
const read = new WeakMap<readonly string[], Glob[]>();

function globsOf(files: readonly string[]): Glob[] {
  const known = read.get(files);
  if (known !== undefined) return known;
  const globs = files.map(globOf);
  read.set(files, globs);
  return globs;
}

/** File systems differ in what letter case means, so it means nothing. A path that may be a folder stands for all in it. */
function globOf(entry: string): Glob {
  const path = withoutBraces(entry.trim().toLowerCase().replaceAll("\\", "/"));
  const parts = path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map(partOf);
  const isFile = !path.endsWith("/") && (SIGNS.test(path) || EXTENSION.test(path));
  return isFile ? parts : [...parts, { any: true }];
}

function partOf(name: string): Part {
  if (name === "**") return { any: true };
  return SIGNS.test(name) ? { any: false, name, test: pathPattern([name]) } : { any: false, name };
}

/** `{a,b}` counts as anything: as the rest of a name, or as the rest of the path where it holds a slash. */
function withoutBraces(path: string): string {
  const open = path.indexOf("{");
  if (open === -1) return path;
  const close = path.lastIndexOf("}");
  const inside = path.slice(open, close === -1 ? undefined : close);
  if (close < open || inside.includes("/")) return `${path.slice(0, path.lastIndexOf("/", open) + 1)}**`;
  return `${path.slice(0, open)}*${path.slice(close + 1)}`;
}

function meet(one: Glob, other: Glob): boolean {
  for (let at = 0; ; at++) {
    const [left, right] = [one[at], other[at]];
    if (left === undefined && right === undefined) return true;
    if (left === undefined || right === undefined || left.any || right.any) return meetFrom(one, other, at);
    if (!namesMeet(left, right)) return false;
  }
}

/** By the rows of a table: `row[j]` tells whether the parts of `one` so far can be the first `j` parts of `other`. */
function meetFrom(one: Glob, other: Glob, from: number): boolean {
  const [parts, others] = [one.slice(from), other.slice(from)];
  let row = [true];
  for (const [at, part] of others.entries()) row.push(part.any && row[at] === true);
  for (const part of parts) {
    const next = [part.any && row[0] === true];
    for (const [at, against] of others.entries()) {
      const skips = (part.any && row[at + 1] === true) || (against.any && next[at] === true);
      const takes = (part.any && next[at] === true) || (against.any && row[at + 1] === true);
      const pairs = !part.any && !against.any && row[at] === true && namesMeet(part, against);
      next.push(skips || takes || pairs || (part.any && against.any && row[at] === true));
    }
    row = next;
  }
  return row[others.length] === true;
}

type Name = Extract<Part, { any: false }>;

function namesMeet(one: Name, other: Name): boolean {
  if (one.test === undefined && other.test === undefined) return one.name === other.name;
  if (one.test === undefined && other.test !== undefined) return fitsPath(other.test, [one.name]);
  if (other.test === undefined && one.test !== undefined) return fitsPath(one.test, [other.name]);
  return endsMeet(one.name, other.name);
}

/** Two names with wildcards: only what they begin and end with can keep them apart. */
function endsMeet(one: string, other: string): boolean {
  const [start, otherStart] = [beforeSign(one), beforeSign(other)];
  const [end, otherEnd] = [afterSign(one), afterSign(other)];
  const begins = start.startsWith(otherStart) || otherStart.startsWith(start);
  return begins && (end.endsWith(otherEnd) || otherEnd.endsWith(end));
}

const beforeSign = (name: string) => name.slice(0, name.search(SIGNS));
const afterSign = (name: string) => /[^*?\]]*$/.exec(name)?.[0] ?? "";
