/** Where settings of runners say which files are tests. What they leave out, or cover, they say elsewhere. */
const LISTS = /\b(?:include|testMatch|testRegex|spec|python_files)["']?\s*[:=]\s*(\[[^\]]*\]|[^\n]*)/g;
/** `*.check.ts`, `*-check.{ts,tsx}`, `*.check.?(c|m)[jt]s`, `\.check\.js$`. */
const ENDINGS = /(?:\*|\\)([._-][A-Za-z][\w-]*)\\{0,2}\.(?=[\w?@*+({[|])/g;
/** `check_*.py`. */
const BEGINNINGS = /(?:^|[\s"'/,[])([A-Za-z][\w-]*_)\*\.py\b/g;
/** These say what a file is for in another way. */
const NO_TESTS = new Set([".d", ".config", ".stories", ".module", ".min", ".mock", ".fixture"]);
const MOST = 20;

/**
 * The files that a project's own settings name as tests, beside those that every runner takes for some: `*.check.ts` and the like. Only
 * names that say more than an ending count, since `src/*.ts` would make all code a test. `settings`: texts of settings;
 * `patterns`: what a script names.
 */
export function namedTests(settings: readonly string[], patterns: readonly string[]): RegExp | undefined {
  const lists = settings.flatMap((text) => [...text.matchAll(LISTS)].map(([, list = ""]) => list));
  const named = [...lists, ...patterns];
  const found = (pattern: RegExp) => [
    ...new Set(named.flatMap((text) => [...text.matchAll(pattern)].map(([, part = ""]) => part))),
  ];
  const endings = found(ENDINGS).filter((part) => !NO_TESTS.has(part));
  const names = [
    ...endings.slice(0, MOST).map((part) => `[^/]+${escaped(part)}\\.(?:[cm]?[jt]sx?|py)`),
    ...found(BEGINNINGS)
      .slice(0, MOST)
      .map((part) => `${escaped(part)}[^/]*\\.py`),
  ];
  return names.length === 0 ? undefined : new RegExp(`(?:^|/)(?:${names.join("|")})$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
