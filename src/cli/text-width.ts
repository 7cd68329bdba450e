// East Asian wide and fullwidth characters; emoji are told apart by their Unicode properties.
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const EMOJI = /^\p{Emoji_Presentation}/u;
const PLAIN = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as one character: a letter with its accents, a flag, a family. */
function characters(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many columns of a terminal a text takes. The text must be free of control characters. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return characters(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (EMOJI.test(character) || character.includes("\ufe0f")) return 2;
  let width = 0;
  for (const point of character) width += NO_WIDTH.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return width;
}

/** Cuts a text to a width; the last column of a cut text is '…'. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const character of characters(text)) {
    taken += characterWidth(character);
    if (taken > width - 1) break;
    kept += character;
  }
  return width < 1 ? "" : `${kept}…`;
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
