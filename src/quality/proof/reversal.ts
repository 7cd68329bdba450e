import type { GateEvidence, GateFinding } from "../../contract/documents/quality/gate.ts";
import type { Checked, CheckOrder } from "../checks/local-checks.ts";
import type { GateSubject } from "../gates/subject.ts";
import type { Overlay, TreeChange } from "../trees/tree-source.ts";
import { found } from "./found.ts";
import { hasInlineTests, splitInlineTests } from "./inline-tests.ts";
import { type Hunk, parseDiff, withoutHunk } from "./unified-diff.ts";

const MOST_PARTS = 20;
const LONGEST_OUTPUT = 500;
/** No part is begun after this, nor after the time limit of the tests. */
const LONGEST_SECONDS = 600;

/** One changed place of the code. */
interface Part {
  path: string;
  from: string | undefined;
  hunk: Hunk;
  isNewFile: boolean;
}

interface Reversal {
  findings: GateFinding[];
  evidence: GateEvidence[];
  cut: string[];
  tried: number;
  unproven: number;
}

interface Options {
  code: readonly TreeChange[];
  /** How the tests did with all of the change. */
  now: Checked;
  order: (tree: string, purpose: string) => CheckOrder;
  clock: () => number;
}

/** Takes changed parts back one at a time: a part that no test misses is not proven. */
export async function reverseParts(subject: GateSubject, options: Options): Promise<Reversal> {
  const parts = await partsOf(subject, options.code);
  const chosen = choose(parts, subject.tree, MOST_PARTS);
  const until = options.clock() + Math.min(LONGEST_SECONDS, subject.settings.timeoutSeconds.tests) * 1_000;
  const evidence: GateEvidence[] = [];
  const unproven: Part[] = [];
  let tried = 0;
  for (const part of chosen) {
    if (subject.signal.aborted || (tried > 0 && options.clock() >= until)) break;
    const checked = await without(subject, part, options);
    evidence.push(...checked.evidence.map((one) => ({ ...one, output: one.output.slice(-LONGEST_OUTPUT) })));
    if (checked.verdict !== "pass" && checked.verdict !== "fail") continue;
    tried++;
    if (!turnsRed(options.now, checked)) unproven.push(part);
  }
  const findings = unproven.toSorted(byPlace).map((part) => findingOf(part, subject.settings.proof === "strict"));
  const proven = tried - unproven.length;
  const text = `Reversal proof: ${tried} of ${parts.length} changed parts reverted; tests failed without ${proven}, and passed without ${unproven.length}.`;
  const left = parts.length - tried;
  const cut = left > 0 ? [`Reversal proof: ${left} of ${parts.length} changed parts were not tried.`] : [];
  return { findings, evidence: [...evidence, { type: "note", text }], cut, tried, unproven: unproven.length };
}

async function without(subject: GateSubject, part: Part, { order }: Options): Promise<Checked> {
  const { trees, tree } = subject;
  const reversed = order(await trees.overlay(tree, [await takenBack(subject, part)]), "reversal");
  const checked = await subject.checks.tests(reversed);
  // What is left of the change may be nothing that a runner looks at.
  return checked.verdict === "skipped" ? subject.checks.tests({ ...reversed, scope: "full" }) : checked;
}

async function takenBack({ trees, baseTree, tree }: GateSubject, part: Part): Promise<Overlay> {
  const { path, from = path, hunk } = part;
  if (part.isNewFile) return { path, remove: true };
  const [before, after] = await Promise.all([trees.read(baseTree, from), trees.read(tree, path)]);
  const content = withoutHunk(before ?? Buffer.alloc(0), after ?? Buffer.alloc(0), hunk);
  if (!hasInlineTests(path)) return { path, content };
  // A changed place may reach into the tests below it, which stay.
  const { tests } = splitInlineTests(String(after ?? ""));
  return { path, content: Buffer.from(splitInlineTests(String(content)).code + tests) };
}

/** Whether a test that passes with the part fails without it. */
function turnsRed(now: Checked, without: Checked): boolean {
  if (without.verdict !== "fail") return false;
  const failing = new Set(now.tests.filter(({ status }) => status === "failed").map(({ id }) => id));
  const failed = without.tests.filter(({ status }) => status === "failed");
  return failed.length === 0 ? now.verdict === "pass" : failed.some(({ id }) => !failing.has(id));
}

async function partsOf({ trees, baseTree, tree }: GateSubject, code: readonly TreeChange[]): Promise<Part[]> {
  const kept = new Map(
    code.filter(({ status, binary }) => status !== "deleted" && !binary).map((change) => [change.path, change]),
  );
  if (kept.size === 0) return [];
  const paths = [...kept.values()].flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const testsFrom = new Map(
    await Promise.all(
      [...kept.keys()].filter(hasInlineTests).map(async (path) => {
        const { code: own } = splitInlineTests(String((await trees.read(tree, path)) ?? ""));
        return [path, own.split("\n").length] as const;
      }),
    ),
  );
  return parseDiff(await trees.diff(baseTree, tree, paths)).flatMap(({ to, hunks }) => {
    const change = to === undefined ? undefined : kept.get(to);
    if (change === undefined) return [];
    const { path, from, status } = change;
    return hunks
      .filter((hunk) => [...hunk.added, ...hunk.removed].some((line) => saysSomething(line)))
      .filter((hunk) => status === "added" || hunk.changedAt < (testsFrom.get(path) ?? Number.POSITIVE_INFINITY))
      .map((hunk): Part => ({ path, from, hunk, isNewFile: status === "added" }));
  });
}

/** Blank lines, comments, imports and lone brackets: no test can miss them. */
const SAYS_NOTHING =
  /^\s*(?:$|\/\/|\/\*|\*|#(?!\[)|--|<!--|"""|'''|import\b(?!\s*\()|from\s+\S+\s+import\b|use\s|package\s|using\s|export\s+\*|[\])}{([;,]+\s*$)/;

const saysSomething = (line: string) => !SAYS_NOTHING.test(line);

/** The same parts for the same tree. */
function choose<Part>(parts: readonly Part[], tree: string, most: number): Part[] {
  let seed = Number.parseInt(tree.slice(0, 8), 16) >>> 0;
  const next = () => {
    // A step of mulberry32.
    seed = (seed + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return parts
    .map((part) => ({ part, rank: next() }))
    .toSorted((left, right) => left.rank - right.rank)
    .slice(0, most)
    .map(({ part }) => part);
}

const byPlace = (left: Part, right: Part) =>
  left.path === right.path ? left.hunk.changedAt - right.hunk.changedAt : left.path < right.path ? -1 : 1;

function findingOf({ path, hunk }: Part, isStrict: boolean): GateFinding {
  const first = hunk.added.find(saysSomething) ?? hunk.removed.find(saysSomething) ?? "";
  return found({
    code: "unproven",
    severity: isStrict ? "high" : "low",
    file: path,
    line: hunk.changedAt,
    about: [...hunk.added, "", ...hunk.removed].join("\n"),
    message: `No test fails without this change: ${first.trim().slice(0, 120)}`,
    fix: "Add a test that fails without it.",
    blocks: isStrict,
  });
}
