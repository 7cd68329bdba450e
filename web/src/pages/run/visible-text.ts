/** Colours and other orders to a terminal: CSI and OSC sequences, and the two-character ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const TERMINAL_ORDERS = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
/** What a page acts on instead of showing: controls, and what turns the direction of the text beside it. */
const UNSEEN = /(?![\n\t])[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** What a command or a file said, with nothing in it that hides or turns around something else. */
export function visibleText(text: string): string {
  return text.replace(TERMINAL_ORDERS, "").replaceAll("\r\n", "\n").replace(UNSEEN, sign);
}

/** One line of a file: a carriage return at its end is a difference that must be seen. */
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
export function beginningOf(text: string): { text: string; left: number } | undefined {
  const lines = text.split("\n");
  if (lines.length <= MOST_LINES && text.length <= LONGEST) return undefined;
  const kept = lines.slice(0, MOST_LINES).join("\n").slice(0, LONGEST).toWellFormed();
  return { text: kept, left: lines.length - kept.split("\n").length };
}
