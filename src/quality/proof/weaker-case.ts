import { type Guards, guardsIn } from "./guarded-checks.ts";
import type { Language } from "./languages.ts";
import type { WrittenCase } from "./test-cases.ts";

type Weakness = "fewer" | "looser" | "tautology" | "unawaited" | "returns" | "swallows" | "conditional";

const CHECKS: Readonly<Record<Language, RegExp>> = {
  javascript: /(?<![\w$.])(?:expect\s*\(|assert(?:\.\w+)*\s*\()/g,
  python: /(?<![\w.])assert\b|\.assert\w+\s*\(|\braises\s*\(/g,
  ruby: /(?<![\w.])(?:expect\b|assert\w*|refute\w*)/g,
  go: /\bt\.(?:Error|Fatal|Fail)\w*\s*\(|\b(?:assert|require)\.\w+\s*\(/g,
  rust: /\b(?:debug_)?assert\w*!/g,
  java: /\bassert\w*\s*\(|\bverify\s*\(/g,
};

/** Comparisons with a value, other than a truth value. */
const EXACT =
  /\.(?:toBe|toEqual|toStrictEqual)\s*\((?!\s*(?:true|false)\b)|\bassert\.(?:equal|strictEqual|deepEqual|deepStrictEqual)\s*\((?!.*,\s*(?:true|false)\s*\))|\bassert_eq!|\bassertEquals?\s*\((?!.*\b(?:[Tt]rue|[Ff]alse)\b)|\bassert\b[^\n]*==/g;
/** Checks that only ask whether there is something. */
const LOOSE =
  /\.(?:toBeTruthy|toBeDefined|not\.toBeNull|not\.toBeUndefined|not\.toThrow)\s*\(|\bassert(?:\.ok|\.doesNotThrow)?\s*\((?!.*(?:[=!]=|\s[<>]=?\s))|\bassert!\s*\((?!.*(?:[=!]=|\s[<>]=?\s))|\bassert(?:True|IsNotNone|NotNull)\s*\((?!.*(?:[=!]=|\s[<>]=?\s))|\bassert\s+(?!.*(?:[=!]=|\s[<>]=?\s|\bin\b|\bis\b|\())|\bassert\s+\w[\w.]*\([^\n]*\)\s*$/gm;
const BARE_RETURN = /\breturn\s*(?:;|\}|\n|$)/g;
/** What a failed check throws is taken for what was expected, or thrown away. */
const SWALLOWED =
  /\.catch\s*\(\s*\(?\w*\)?\s*=>\s*\{\s*\}\s*\)|\bsuppress\s*\(|#\[\s*should_panic\b|\bcatch_unwind\s*\(|\b(?:raises|assertRaises)\s*\(\s*(?:AssertionError|BaseException)\b/g;
/** What holds whatever the code does: the same on both sides, or an alternative that is true. With the content of strings. */
const TAUTOLOGY =
  /\bassert\w*!?(?:\.\w+)*\s*\(\s*([^\s,][^,\n]{0,200}?)\s*,\s*\1\s*[,)]|\bexpect\(\s*([^\n]{1,200}?)\s*\)(?:\.\w+)*\(\s*\2\s*\)|\bassert\s+([^\s=][^=\n]{0,200}?)\s*==\s*\3\s*$|\b(?:assert|expect)\b[^\n]*(?:\bor\s+True\b|\|\|\s*true\b)|\bassert\s*\([^\n]*,\s*f?["'][^\n]*["']\s*\)\s*$/gm;
/** A check of a promise that nobody waits for. */
const NOT_AWAITED =
  /(?<!\b(?:await|return)\s+)(?<!=>\s*)(?<![\w$.])(?:expect\s*\([^;\n]*\)\s*\.(?:rejects|resolves)\b|assert\.(?:rejects|doesNotReject)\s*\()/g;
/** One check may stand for many there. */
const REPEATED = /\.each\b|\bfor\b|\.forEach\b|\.map\b|\bsubTest\b|\bt\.Run\b|\bparametrize\b/;
const OWN_CHECK = /(?<![\w.])(?:expect|assert|check|verify|ensure)[A-Z_]\w*(?=\s*\()/g;

/** How a test that kept its name checks less than before. What was moved into a loop or a function of its own does not. */
export function weakenedBy(before: WrittenCase, after: WrittenCase, language: Language): Weakness | undefined {
  const [was, is] = [before.masked, after.masked];
  const checks = CHECKS[language];
  const isMoved = isRepeated(is, was) || (is.match(OWN_CHECK) ?? []).some((one) => !was.includes(one));
  if (!isMoved && count(is, checks) < count(was, checks)) return "fewer";
  if (count(is, EXACT) < count(was, EXACT) && count(is, LOOSE) > count(was, LOOSE)) return "looser";
  if (count(after.body, TAUTOLOGY) > count(before.body, TAUTOLOGY)) return "tautology";
  if (count(is, NOT_AWAITED) > count(was, NOT_AWAITED)) return "unawaited";
  if (returnsBeforeChecks(is, checks) > returnsBeforeChecks(was, checks)) return "returns";
  const [guarded, guards] = [guardsIn(was, checks, language), guardsIn(is, checks, language)];
  const isSwallowed = guards.swallowing > guarded.swallowing || count(is, SWALLOWED) > count(was, SWALLOWED);
  if (isSwallowed) return "swallows";
  // In Go every check stands under a condition.
  const always = (text: string, { conditional }: Guards) => count(text, checks) - conditional;
  const isConditional = guards.conditional > guarded.conditional && always(is, guards) < always(was, guarded);
  return isConditional && language !== "go" ? "conditional" : undefined;
}

/** Whether checks were put into a loop, or a case into a table. */
export function isRepeated(is: string, was: string): boolean {
  return REPEATED.test(is) && !REPEATED.test(was);
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function returnsBeforeChecks(text: string, checks: RegExp): number {
  const last = [...text.matchAll(checks)].at(-1)?.index ?? 0;
  return count(text.slice(0, last), BARE_RETURN);
}
