/** What comes after the last dot of a name and is longer than this is no ending; it may be cut. */
const LONGEST_ENDING = 20;

/** Names that a file may get when this one is taken, beginning with itself; none too long for a file system. */
export function* namesLike(name: string): Generator<string, never> {
  const dot = name.lastIndexOf(".");
  const hasEnding = dot > 0 && name.length - dot <= LONGEST_ENDING;
  const [stem, ending] = hasEnding ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; ; number++) yield shortened(stem, number === 1 ? ending : `-${number}${ending}`);
}

/** A name of two parts, the first cut to what file systems can bear. */
function shortened(stem: string, ending: string): string {
  const letters = [...stem];
  while (Buffer.byteLength(letters.join("") + ending) > 255) letters.pop();
  return letters.join("") + ending;
}
