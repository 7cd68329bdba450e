// What a terminal acts on instead of showing, or what reorders the text beside it: controls (C0, DEL, C1), line
// separators, bidirectional controls, the byte order mark.
const ACTIVE = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const ACTIVE_BUT_LAYOUT = /(?![\n\t])[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;
// What takes no room on the screen, so that two texts look alike and are not. Single ones that join or vary what is no ASCII belong
// to scripts and emoji.
const UNSEEN = /(?!(?<=[^\p{ASCII}\p{DI}])(?:\u200c|\u200d|\ufe0e|\ufe0f)(?!\p{DI}))[\p{Cf}\p{DI}]/gu;

/** Text from data as one harmless line: whatever a terminal would act on is shown as a sign instead. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(ACTIVE, visible);
}

/** The same for text of many lines, which keeps its line breaks. */
export function manyLines(text: string): string {
  return text.toWellFormed().replaceAll("\r\n", "\n").replace(ACTIVE_BUT_LAYOUT, visible).replaceAll("\t", "  ");
}

/** Text that somebody decides about: nothing in it is left unseen. */
export function everySign(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** JSON that means the same and holds nothing a terminal would act on. */
export function harmlessJson(json: string): string {
  return json.replace(ACTIVE_BUT_LAYOUT, escaped);
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : escaped(character);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
