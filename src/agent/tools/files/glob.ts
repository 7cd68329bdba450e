import { HallError } from "../../../contract/errors.ts";
import { fitsPath, type PathPattern, pathPattern } from "../../../store/wildcards.ts";

const MOST_ALTERNATIVES = 100;

/**
 * Whether a path fits a glob of *, **, ?, [a-z], [!a-z] and {a,b}. Stars fit hidden names too. A glob without a slash
 * fits names in every folder. Takes no longer than the lengths of both multiplied: models write globs of any kind.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = alternatives(glob.replace(/^(?:\.?\/)+/, "")).map(patternOf);
  return (path) => {
    const names = path.split("/");
    return patterns.some((pattern) => fitsPath(pattern, names));
  };
}

function patternOf(glob: string): PathPattern {
  const names = glob.split("/").filter((name) => name !== "");
  return pathPattern(glob.includes("/") ? names : ["**", ...names]);
}

/** The globs that one with {a,b} stands for. Braces that hold no comma or are not closed are letters like others. */
function alternatives(glob: string): string[] {
  let waiting = [glob];
  for (;;) {
    const next = waiting.flatMap((one) => expanded(one) ?? [one]);
    if (next.length > MOST_ALTERNATIVES)
      throw new HallError("invalid", `The glob expands to more than ${MOST_ALTERNATIVES} patterns.`, {
        hint: "Use fewer braces.",
      });
    if (next.length === waiting.length) return next;
    waiting = next;
  }
}

/** The first innermost braces with a comma, taken apart. */
function expanded(glob: string): string[] | undefined {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (braces === null) return undefined;
  const [whole, inner = ""] = braces;
  const before = glob.slice(0, braces.index);
  const after = glob.slice(braces.index + whole.length);
  return inner.split(",").map((part) => before + part + after);
}
