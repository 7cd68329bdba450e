import type { TestCase } from "../local-checks.ts";
import { bodyFailure } from "./failure-class.ts";
import { identified, MOST_CASES, type ParsedTests, UNREADABLE } from "./parsed.ts";

const PLAN = /^1\.\.(\d{1,9})(?:\s*#\s*(.*))?$/;
const RESULT = /^(\s{0,80})(not )?ok\b(?:\s+\d{1,9})?(?:\s+-)?\s*(.*)$/;
const DIRECTIVE = /\s#\s*(SKIP|TODO)\b.*$/i;
const MOST_DIAGNOSTICS = 4_000;

export function isTap(output: string): boolean {
  return /^TAP version 1[34]\s*$/m.test(output) || (/^1\.\.\d+/m.test(output) && /^(?:not )?ok\b/m.test(output));
}

/** TAP 13 and 14. Results of subtests count; the line that sums them up does not. */
export function parseTap(source: string): ParsedTests {
  const drafts: (Omit<TestCase, "id"> & { depth: number })[] = [];
  let planned: number | undefined;
  let atTop = 0;
  for (const line of source.split("\n")) {
    if (drafts.length >= MOST_CASES) break;
    const plan = PLAN.exec(line);
    if (plan !== null) planned = Number(plan[1]);
    const result = RESULT.exec(line);
    if (result === null) {
      addDiagnostic(drafts.at(-1), line);
      continue;
    }
    const [, indent = "", not, rest = ""] = result;
    const depth = indent.length;
    if (depth === 0) atTop++;
    // What was told right before, and deeper, is what this line sums up.
    if ((drafts.at(-1)?.depth ?? 0) > depth) {
      markTold(drafts, depth);
      continue;
    }
    const directive = DIRECTIVE.exec(rest)?.[1]?.toUpperCase();
    const name = rest.replace(DIRECTIVE, "").trim();
    const status = directive !== undefined ? "skipped" : not === undefined ? "passed" : "failed";
    drafts.push({ name, status, depth });
  }
  // Without a plan nobody knows whether it is all.
  if (planned === undefined || atTop < planned) return UNREADABLE;
  return {
    tests: identified(
      drafts.map(({ depth: _, message, ...draft }) =>
        draft.status === "failed" ? { ...draft, message, failure: bodyFailure(message ?? "") } : draft,
      ),
    ),
  };
}

/** From here on they count as told at the depth of the line that sums them up. */
function markTold(drafts: { depth: number }[], depth: number): void {
  for (let at = drafts.length - 1; at >= 0; at--) {
    const draft = drafts[at];
    if (draft === undefined || draft.depth <= depth) return;
    draft.depth = depth;
  }
}

function addDiagnostic(draft: Omit<TestCase, "id"> | undefined, line: string): void {
  if (draft?.status !== "failed" || (draft.message?.length ?? 0) > MOST_DIAGNOSTICS) return;
  const text = line.trim();
  if (text === "" || text === "---" || text === "..." || PLAN.test(text)) return;
  draft.message = draft.message === undefined ? text : `${draft.message}\n${text}`;
}
