import { type Language, maskCode } from "./languages.ts";

export interface WrittenCase {
  name: string;
  line: number;
  body: string;
  /** All of it with its decorators, without comments and the content of strings. */
  masked: string;
  /** Whether it can fail by what it checks. */
  asserts: boolean;
}

/** A line that keeps tests from running. */
interface Marker {
  kind: "skipped" | "focused";
  line: number;
  text: string;
}

export interface WrittenTests {
  cases: WrittenCase[];
  markers: Marker[];
}

/** The tests of a file as they are written. Tolerant: code that it can't read has none. */
export function readTests(text: string, language: Language): WrittenTests {
  const source: Source = { text, masked: maskCode(text, language), lineAt: lineCounter(text) };
  return {
    cases: CASES[language](source).map((found) => writtenCase(source, found, language)),
    markers: markersIn(source, language),
  };
}

interface Source {
  text: string;
  /** The same without comments and the content of strings. */
  masked: string;
  lineAt: (at: number) => number;
}

interface FoundCase {
  name: string;
  /** Where its decorators begin. */
  head?: number;
  start: number;
  /** Where its body begins and ends. */
  from: number;
  to: number;
}

function writtenCase({ text, masked, lineAt }: Source, found: FoundCase, language: Language): WrittenCase {
  return {
    name: found.name,
    line: lineAt(found.start),
    body: text.slice(found.from, found.to),
    masked: masked.slice(found.head ?? found.start, found.to),
    asserts: ASSERTION[language].test(masked.slice(found.from, found.to).replaceAll(ALWAYS_TRUE, "")),
  };
}

function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

const CASES: Readonly<Record<Language, (source: Source) => FoundCase[]>> = {
  javascript: calledCases,
  python: (source) => indentedCases(source, /^([ \t]*)(?:async\s+)?def\s+(test\w*)\s*\(/gm),
  ruby: (source) => [
    ...indentedCases(source, /^([ \t]*)def\s+(test_\w+)/gm),
    ...indentedCases(source, /^([ \t]*)(?:it|specify|test|x?it)\s*\(?\s*["']([^\n]*?)["'][^\n]*\bdo\b/gm, source.text),
  ],
  go: (source) => bracedCases(source, /^func\s+((?:\([^)]*\)\s*)?(?:Test|Fuzz|Example)\w*)\s*\(/gm),
  rust: (source) =>
    bracedCases(source, /#\[(?:[\w:]+::)?(?:test|rstest|test_case|wasm_bindgen_test)\b[^\]]*\][^{};]*?\bfn\s+(\w+)/g),
  java: (source) =>
    bracedCases(
      source,
      /(?:@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^\]]*\])[^{};]*?\b(\w+)\s*\([^{};]*(?=\{)/g,
    ),
};

const TEST_CALL = /(?<![\w$.])(?:[xf]?it|[xf]?test|specify)((?:\s*\.\s*\w+)*)\s*(?=[(`<])/g;

/** Calls such as `it("adds", …)` and `test.each(…)("adds %i", …)`. */
function calledCases({ text, masked }: Source): FoundCase[] {
  return [...masked.matchAll(TEST_CALL)].flatMap((match) => {
    const start = match.index;
    let from = afterTypes(masked, start + match[0].length);
    // A table or a condition comes first, and the case after it.
    for (let words = match[1] ?? ""; FIRST_CALL.test(words); ) {
      from = skipSpace(masked, closeOf(masked, from));
      words = /^(?:\s*\.\s*\w+)*/.exec(masked.slice(from, from + 100))?.[0] ?? "";
      from = afterTypes(masked, skipSpace(masked, from + words.length));
    }
    if (masked[from] !== "(") return [];
    const to = closeOf(masked, from);
    const name = firstArgument(text, masked, { from: from + 1, to });
    return name === undefined ? [] : [{ name, start, from, to }];
  });
}

const FIRST_CALL = /\.\s*(?:each|for|skipIf|runIf)\s*$/;

/** After the type arguments of a call, if it has any. */
function afterTypes(masked: string, at: number): number {
  if (masked[at] !== "<") return at;
  let depth = 0;
  for (let next = at; next < masked.length; next++) {
    if (masked[next] === "<") depth++;
    if (masked[next] === ">" && masked[next - 1] !== "=") depth--;
    if (depth === 0) return skipSpace(masked, next + 1);
  }
  return at;
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (/\s/.test(text[next] ?? "")) next++;
  return next;
}

function firstArgument(text: string, masked: string, call: { from: number; to: number }): string | undefined {
  const from = skipSpace(masked, call.from);
  const quote = masked[from] ?? "";
  if (!`"'\``.includes(quote)) return undefined;
  const to = masked.indexOf(quote, from + 1);
  return to === -1 || to > call.to ? undefined : text.slice(from + 1, to);
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** The place after the bracket, brace or template that is opened here. */
export function closeOf(masked: string, at: number): number {
  if (masked[at] === "`") {
    const end = masked.indexOf("`", at + 1);
    return end === -1 ? masked.length : end + 1;
  }
  const expected: string[] = [];
  for (let next = at; next < masked.length; next++) {
    const letter = masked[next] ?? "";
    const close = CLOSING[letter];
    if (close !== undefined) expected.push(close);
    else if (letter === expected.at(-1)) expected.pop();
    if (expected.length === 0) return next + 1;
  }
  return masked.length;
}

function bracedCases({ masked }: Source, head: RegExp): FoundCase[] {
  return [...masked.matchAll(head)].flatMap((match) => {
    const from = masked.indexOf("{", match.index + match[0].length - 1);
    const head = match.index - (ATTRIBUTES.exec(masked.slice(0, match.index))?.[0].length ?? 0);
    return from === -1 ? [] : [{ name: match[1] ?? "", head, start: match.index, from, to: closeOf(masked, from) }];
  });
}

/** Of Rust, before the one that makes it a test. */
const ATTRIBUTES = /(?:#\[[^\]]*\]\s*)+$/;

function indentedCases({ masked }: Source, head: RegExp, names = masked): FoundCase[] {
  return [...names.matchAll(head)].map((match) => {
    const [whole, indent = "", name = ""] = match;
    const start = match.index;
    const from = start + whole.length;
    const rest = masked.slice(from);
    const next = new RegExp(`\\n(?![ \\t]*(?:\\n|$))(?!${indent}[ \\t])`).exec(rest.replaceAll("\r", " "));
    return {
      name: `${ownerOf(masked, start, indent)}${name}`,
      head: decoratorsOf(masked, start, indent),
      start,
      from,
      to: next === null ? masked.length : from + next.index,
    };
  });
}

/** A table of cases stands above the test, over one line or several. */
function decoratorsOf(masked: string, start: number, indent: string): number {
  let head = start;
  for (let at = start; at > 0; ) {
    const before = masked.lastIndexOf("\n", at - 2) + 1;
    const line = masked.slice(before, at - 1);
    if (line.trim() === "" || /^\s*(?:def|class|async)\b/.test(line)) break;
    if (line.startsWith(`${indent}@`)) head = before;
    at = before;
  }
  return head;
}

/** Two classes may have a test of the same name. */
function ownerOf(masked: string, start: number, indent: string): string {
  if (indent === "") return "";
  const owners = [...masked.slice(0, start).matchAll(/^([ \t]*)class\s+(\w+)/gm)];
  const owner = owners.findLast(([, own = ""]) => own.length < indent.length);
  return owner === undefined ? "" : `${owner[2]}.`;
}

/** Checks of a literal, which no code can fail. */
const ALWAYS_TRUE =
  /\bexpect\(\s*(?:true|false|null|\d+|["'`]\s*["'`])\s*\)(?:\.\w+)*\([^()]*\)|\bassert(?:\.ok|\.equal|\.strictEqual|True|!|_eq!)?\s*\(\s*(?:true|True|\d+)\s*(?:,\s*(?:true|True|\d+)\s*)?\)|\bassert\s+(?:True|1|\d+\s*==\s*\d+)\s*$/gm;

const ANY_ASSERTION = /\b(?:expect|assert|should|must|verify|ensure|check|fail|raise|reject|throw)\w*/i;
const ASSERTION: Readonly<Record<Language, RegExp>> = {
  javascript: new RegExp(`${ANY_ASSERTION.source}|\\bt\\.\\w+\\(|\\.(?:toBe|toEqual|toMatch)\\w*`, "i"),
  python: ANY_ASSERTION,
  ruby: new RegExp(`${ANY_ASSERTION.source}|\\bmust_|\\brefute`, "i"),
  go: new RegExp(
    `${ANY_ASSERTION.source}|\\bt\\.(?:Error|Fatal|Fail)|\\b(?:require|is|cmp)\\.|\\bpanic\\(|\\/\\/ Output:`,
    "i",
  ),
  rust: new RegExp(`${ANY_ASSERTION.source}|\\bpanic!|\\.unwrap\\w*\\(|\\?`, "i"),
  java: ANY_ASSERTION,
};

const RUNNERS = "(?:it|test|describe|suite|context|specify|bench)";
const OPTIONS = `(?<![\\w$.])${RUNNERS}\\s*\\([^(){}]*\\{[^{}]*\\b`;

/** Over text without comments and strings. */
const MARKERS: Readonly<Record<Language, Readonly<Record<Marker["kind"], readonly RegExp[]>>>> = {
  javascript: {
    skipped: [
      new RegExp(`(?<![\\w$.])${RUNNERS}(?:\\.\\w+)*?\\.(?:skip|todo|fails|failing|fixme)\\b`, "g"),
      // A condition may hold on other machines; whether the test runs here is the runner's to tell.
      new RegExp(`(?<![\\w$.])${RUNNERS}\\.(?:skipIf\\(\\s*(?:true|1|!0)\\b|runIf\\(\\s*(?:false|0|!1)\\b)`, "g"),
      /(?<![\w$.])x(?:it|test|describe|context|specify)(?:\.each\b|\s*\(\s*["'`])/g,
      /(?<![\w$.])(?:t|this|ctx|context|test)\.(?:skip|todo)\s*\(/g,
      new RegExp(`${OPTIONS}(?:skip|todo)\\s*:\\s*(?!false\\b)`, "g"),
    ],
    focused: [
      new RegExp(`(?<![\\w$.])${RUNNERS}(?:\\.\\w+)*?\\.only\\b`, "g"),
      /(?<![\w$.])f(?:it|test|describe|context)(?:\.each\b|\s*\(\s*["'`])/g,
      new RegExp(`${OPTIONS}only\\s*:\\s*true\\b`, "g"),
    ],
  },
  python: {
    skipped: [
      /\bpytest\.mark\.(?:skip|xfail|skipif\(\s*(?:True|1))\b/g,
      /@(?:unittest\.)?(?:skip|expectedFailure|skipIf\(\s*(?:True|1)|skipUnless\(\s*(?:False|0))\b/g,
      /\bpytest\.(?:skip|xfail)\s*\(/g,
      /\.skipTest\s*\(|\bSkipTest\b\s*\(|\b__test__\s*=\s*False\b/g,
    ],
    focused: [],
  },
  go: { skipped: [/\b[a-z]\w*\.Skip(?:f|Now)?\s*\(/g], focused: [] },
  rust: { skipped: [/#\[\s*ignore\b/g, /#\[\s*cfg_attr\s*\([^\]]*\bignore\b/g], focused: [] },
  java: {
    skipped: [/@(?:Ignore|Disabled)\w*/g, /\[Ignore\b|\bSkip\s*=/g, /\bAssume\.\w+\s*\(|\bassumeTrue\s*\(/g],
    focused: [],
  },
  ruby: {
    skipped: [/^\s*(?:xit|xdescribe|xcontext|skip|pending)\b/gm, /\b(?:skip|pending):\s*(?!false\b)/g],
    focused: [/^\s*f(?:it|describe|context)\b/gm, /\bfocus:\s*true\b/g],
  },
};

function markersIn({ text, masked, lineAt }: Source, language: Language): Marker[] {
  const lines = text.split("\n");
  const seen = new Map<string, Marker>();
  for (const kind of ["skipped", "focused"] as const)
    for (const pattern of MARKERS[language][kind])
      for (const match of masked.matchAll(pattern)) {
        const line = lineAt(match.index + match[0].length - 1);
        seen.set(`${kind} ${line}`, { kind, line, text: (lines[line - 1] ?? "").trim() });
      }
  return [...seen.values()].toSorted((left, right) => left.line - right.line);
}
