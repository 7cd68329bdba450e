export interface Piece {
  text: string;
  isMatch: boolean;
}

/** A text in pieces, with those that were looked for marked: whole words, and the last one also as a beginning. */
export function marked(text: string, query: string): Piece[] {
  const words = wordsOf(folded(query).text);
  if (words.length === 0 || text === "") return text === "" ? [] : [{ text, isMatch: false }];
  const { text: plain, at } = folded(text);
  const last = words.at(-1) ?? "";
  const matches = [...plain.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    const isWhole = words.includes(word);
    if (!isWhole && !word.startsWith(last)) return [];
    const end = index + (isWhole ? word.length : last.length);
    return [{ from: at[index] ?? 0, to: at[end] ?? text.length }];
  });
  return cut(text, matches);
}

function cut(text: string, matches: readonly { from: number; to: number }[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { from, to } of matches) {
    if (from > done) pieces.push({ text: text.slice(done, from), isMatch: false });
    pieces.push({ text: text.slice(from, to), isMatch: true });
    done = to;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMatch: false });
  return pieces;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Small letters without their accents, as the index compares them; `at`: where each of them stands in the text. */
function folded(text: string): { text: string; at: number[] } {
  let plain = "";
  const at: number[] = [];
  let from = 0;
  for (const sign of text) {
    const bare = sign.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let unit = 0; unit < bare.length; unit++) at.push(from);
    plain += bare;
    from += sign.length;
  }
  return { text: plain, at };
}
