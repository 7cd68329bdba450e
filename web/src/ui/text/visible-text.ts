/**
 * Colours and other orders to a terminal: CSI sequences, OSC sequences that end on their line (one that does not would take
 * all that follows with it), and the two-character ones.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TERMINAL_ORDERS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
/**
 * What a page acts on or draws as nothing at all: controls, what turns the direction of the text beside it, signs without a
 * width, with which names that look alike differ. Single ones that join or vary what is no ASCII belong to scripts and emoji.
 */
const UNSEEN =
  /(?![\n\t])(?!(?<=[^\p{ASCII}\p{DI}])(?:\u200c|\u200d|\ufe0e|\ufe0f)(?!\p{DI}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** What a command or a file said, with nothing in it that hides or turns around something else. */
export function visibleText(text: string): string {
  return text.replace(TERMINAL_ORDERS, "").replaceAll("\r\n", "\n").replace(UNSEEN, sign);
}

/** Exactly what was written, as what is decided about or was carried out: a carriage return, too, must be seen. */
export function visibleLine(line: string): string {
  return line.replace(UNSEEN, sign);
}

function sign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "␡" : `\\u${code.toString(16).padStart(4, "0")}`;
}

const LONGEST = 4_000;
const MOST_LINES = 24;

/** The beginning of a long text, and how many lines are left out; undefined when it is short enough. */
export function beginningOf(
  text: string,
  { lines: mostLines, longest }: { lines: number; longest: number } = { lines: MOST_LINES, longest: LONGEST },
): { text: string; left: number } | undefined {
  const lines = text.split("\n");
  if (lines.length <= mostLines && text.length <= longest) return undefined;
  const kept = lines.slice(0, mostLines).join("\n").slice(0, longest).toWellFormed();
  return { text: kept, left: lines.length - kept.split("\n").length };
}
