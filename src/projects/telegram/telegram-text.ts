/** In UTF-16 code units; Telegram refuses what is longer. */
export const LONGEST_TEXT = 4_096;

/** Where a text is best cut, the best first: between paragraphs, lines, sentences, words. */
const SEAMS = ["\n\n", "\n", ". ", " "];

/**
 * A text in parts that Telegram takes, in order. Blank ones are left out, for they would be refused, and so is the blank
 * at a cut; nothing else is lost.
 */
export function textParts(text: string, longest = LONGEST_TEXT): string[] {
  const parts: string[] = [];
  let rest = text.toWellFormed().trim();
  while (rest.length > longest) {
    const cut = cutOf(rest, longest);
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  parts.push(rest);
  return parts.filter((part) => part !== "");
}

/** Not before the middle, or a text with one early blank would become many messages. */
function cutOf(text: string, longest: number): number {
  for (const seam of SEAMS) {
    // The blank at its end is dropped, and need not fit.
    const at = text.lastIndexOf(seam, longest - seam.trimEnd().length);
    if (at >= longest / 2) return at + seam.trimEnd().length;
  }
  const isPair = /[\ud800-\udbff]/.test(text.charAt(longest - 1));
  return isPair ? longest - 1 : longest;
}
