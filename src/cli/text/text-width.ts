// East Asian wide and fullwidth characters; emoji are told apart by their Unicode properties.
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u;
const EMOJI = /^\p{Emoji_Presentation}/u;
const PLAIN = /^[\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as one character: a letter with its accents, a flag, a family. */
export function characters(text: string): string[] {
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
  return width < 1 ? "" : `${fitting(characters(text), width - 1).join("")}…`;
}

/** The same for a path, whose end tells more than its beginning. */
export function fitPath(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  return width < 1
    ? ""
    : `…${fitting(characters(text).reverse(), width - 1)
        .reverse()
        .join("")}`;
}

/** As many characters from the first on as there is room for. */
function fitting(all: string[], room: number): string[] {
  let taken = 0;
  const tooMany = all.findIndex((character) => {
    taken += characterWidth(character);
    return taken > room;
  });
  return tooMany === -1 ? all : all.slice(0, tooMany);
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
