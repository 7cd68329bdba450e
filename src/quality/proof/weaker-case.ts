import type { Language } from "./languages.ts";
import type { WrittenCase } from "./test-cases.ts";

type Weakness = "fewer" | "looser" | "returns" | "swallows";

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
const SWALLOWED =
  /\bcatch\s*(?:\([^()]*\)\s*)?\{\s*\}|\.catch\s*\(\s*\(?\w*\)?\s*=>\s*\{\s*\}\s*\)|\bexcept\b[^\n]*:\s*(?:pass|\.\.\.)|\bsuppress\s*\(/g;
/** One check may stand for many there. */
const REPEATED = /\.each\b|\bfor\b|\.forEach\b|\.map\b|\bsubTest\b|\bt\.Run\b|\bparametrize\b/;
const OWN_CHECK = /(?<![\w.])(?:expect|assert|check|verify|ensure)[A-Z_]\w*(?=\s*\()/g;

/** How a test that kept its name checks less than before. What was moved into a loop or a function of its own does not. */
export function weakenedBy(before: WrittenCase, after: WrittenCase, language: Language): Weakness | undefined {
  const [was, is] = [before.masked, after.masked];
  const checks = CHECKS[language];
  const isMoved =
    (REPEATED.test(is) && !REPEATED.test(was)) || (is.match(OWN_CHECK) ?? []).some((one) => !was.includes(one));
  if (!isMoved && count(is, checks) < count(was, checks)) return "fewer";
  if (count(is, EXACT) < count(was, EXACT) && count(is, LOOSE) > count(was, LOOSE)) return "looser";
  if (returnsBeforeChecks(is, checks) > returnsBeforeChecks(was, checks)) return "returns";
  return count(is, SWALLOWED) > count(was, SWALLOWED) ? "swallows" : undefined;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function returnsBeforeChecks(text: string, checks: RegExp): number {
  const last = [...text.matchAll(checks)].at(-1)?.index ?? 0;
  return count(text.slice(0, last), BARE_RETURN);
}
