type Test<Item> = (item: Item) => boolean;
const ANY = Symbol("any number of items");
type Pattern<Item> = (Test<Item> | typeof ANY)[];
/** A path in names, each judged, and any number of names where it says so. */
export type PathPattern = Pattern<string>;

/**
 * Of the names, `**` is any number. In a name, `*` is any number of letters, `?` is one and [a-z] or [!a-z] is one of many;
 * with `escapes`, a backslash makes a letter of the sign after it.
 */
export function pathPattern(names: readonly string[], escapes = false): PathPattern {
  return names.map((name) => (name === "**" ? ANY : nameTest(name, escapes)));
}

/** Takes no longer than the lengths of both multiplied: agents write patterns and names of any kind. */
export function fitsPath(pattern: PathPattern, names: readonly string[]): boolean {
  const [first, last] = pattern;
  // The usual rule: a name in any folder.
  if (pattern.length === 2 && first === ANY && last !== undefined && last !== ANY) return last(names.at(-1) ?? "");
  return fits(pattern, names);
}

/** Going back to the last star is enough: what an earlier one took more, a later one takes less. */
function fits<Item>(pattern: Pattern<Item>, items: readonly Item[]): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (at < items.length) {
    const one = pattern[next];
    if (one === ANY) {
      star = next++;
      taken = at;
    } else if (one?.(items[at] as Item)) {
      at++;
      next++;
    } else if (star === -1) return false;
    else {
      next = star + 1;
      at = ++taken;
    }
  }
  while (pattern[next] === ANY) next++;
  return next === pattern.length;
}

function nameTest(name: string, escapes: boolean): Test<string> {
  const { pattern, end } = letterPattern([...name], escapes);
  if ([...end].length === pattern.length) return (given) => given === end;
  // Most names are told by their end alone, without a look at each letter.
  return (given) => given.endsWith(end) && fits(pattern, [...given]);
}

/** `end`: the letters after the last sign that is no letter. */
function letterPattern(letters: readonly string[], escapes: boolean): { pattern: Pattern<string>; end: string } {
  const pattern: Pattern<string> = [];
  let end = "";
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    const close = letter === "[" ? letters.indexOf("]", at + 2) : -1;
    const isSign = letter === "*" || letter === "?" || close !== -1;
    const literal = escapes && letter === "\\" ? (letters[++at] ?? letter) : letter;
    end = isSign ? "" : end + literal;
    if (letter === "*") pattern.push(ANY);
    else if (letter === "?") pattern.push(() => true);
    else if (close === -1) pattern.push((given) => given === literal);
    else {
      pattern.push(oneOf(letters.slice(at + 1, close)));
      at = close;
    }
  }
  return { pattern, end };
}

function oneOf(letters: readonly string[]): Test<string> {
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
