import { HallError } from "../../contract/errors.ts";

const MOST_ALTERNATIVES = 100;

type Single = (letter: string) => boolean;
/** One name of a path: letters, each judged, and stars for any number of them. */
type NamePattern = (Single | "*")[];
type PathPattern = (NamePattern | "**")[];

/**
 * Whether a path fits a glob of *, **, ?, [a-z], [!a-z] and {a,b}. Stars fit hidden names too. A glob without a slash
 * fits names in every folder. Takes no longer than the lengths of both multiplied: models write globs of any kind.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = alternatives(glob.replace(/^(?:\.?\/)+/, "")).map(pathPattern);
  return (path) => {
    const names = path.split("/");
    return patterns.some((pattern) => fits(pattern, names, (name, one: NamePattern) => fits(one, [...name], judge)));
  };
}

const judge = (letter: string, single: Single): boolean => single(letter);

/** Going back to the last star is enough: what an earlier one took more, a later one takes less. */
function fits<Item, One>(
  pattern: readonly (One | "*" | "**")[],
  items: readonly Item[],
  test: Test<Item, One>,
): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (at < items.length) {
    const one = pattern[next];
    if (one === "*" || one === "**") {
      star = next++;
      taken = at;
    } else if (one !== undefined && test(items[at] as Item, one)) {
      at++;
      next++;
    } else if (star === -1) return false;
    else {
      next = star + 1;
      at = ++taken;
    }
  }
  while (pattern[next] === "*" || pattern[next] === "**") next++;
  return next === pattern.length;
}

type Test<Item, One> = (item: Item, one: One) => boolean;

function pathPattern(glob: string): PathPattern {
  const names = glob.split("/").filter((name) => name !== "");
  const everywhere = glob.includes("/") ? names : ["**", ...names];
  return everywhere.map((name) => (name === "**" ? name : namePattern(name)));
}

function namePattern(name: string): NamePattern {
  const letters = [...name];
  const pattern: NamePattern = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    const end = letter === "[" ? letters.indexOf("]", at + 2) : -1;
    if (letter === "*") pattern.push("*");
    else if (letter === "?") pattern.push(() => true);
    else if (end === -1) pattern.push((given) => given === letter);
    else {
      pattern.push(oneOf(letters.slice(at + 1, end)));
      at = end;
    }
  }
  return pattern;
}

function oneOf(letters: string[]): Single {
  const isNot = letters[0] === "!" || letters[0] === "^";
  const listed = isNot ? letters.slice(1) : letters;
  const ranges: [string, string][] = [];
  for (let at = 0; at < listed.length; at++) {
    const isRange = listed[at + 1] === "-" && at + 2 < listed.length;
    ranges.push([listed[at] as string, listed[isRange ? at + 2 : at] as string]);
    if (isRange) at += 2;
  }
  return (letter) => ranges.some(([from, to]) => from <= letter && letter <= to) !== isNot;
}

/** The globs that one with {a,b} stands for. Braces that hold no comma or are not closed are letters like others. */
function alternatives(glob: string): string[] {
  let waiting = [glob];
  for (;;) {
    const next = waiting.flatMap((one) => expanded(one) ?? [one]);
    if (next.length > MOST_ALTERNATIVES)
      throw new HallError("invalid", `The glob stands for more than ${MOST_ALTERNATIVES} others.`, {
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
