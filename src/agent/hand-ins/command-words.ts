/** What a shell would do something with, outside quotes. */
const OPERATORS = new Set(["|", "&", ";", "<", ">", "`", "$", "\n", "(", ")", "*", "?", "~", "#"]);
const BEGINS_WORD = new Set(["~", "#"]);

export type CommandWords = { words: string[] } | { problem: string };

/** The words of one plain command, split as a shell would; what needs a shell is refused, because none runs it. */
export function commandWords(text: string): CommandWords {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === "'" || letter === '"') {
      const quoted = quotedFrom(text, at);
      if (quoted === undefined) return { problem: `the quote ${letter} is not closed` };
      if (quoted.operator !== undefined) return needsShell(quoted.operator);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (letter === "\\") {
      word = (word ?? "") + (text[++at] ?? "");
    } else if (/[ \t\r]/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (OPERATORS.has(letter) && !(BEGINS_WORD.has(letter) && word !== undefined)) {
      return needsShell(letter);
    } else word = (word ?? "") + letter;
  }
  if (word !== undefined) words.push(word);
  return words.length === 0 ? { problem: "is empty" } : { words };
}

function needsShell(operator: string): CommandWords {
  const shown = operator === "\n" ? "a line break" : `'${operator}'`;
  return { problem: `${shown} needs a shell; name one program with its arguments, or use ["sh", "-c", "…"]` };
}

interface Quoted {
  text: string;
  /** Where the closing quote is. */
  end: number;
  /** What a shell would replace inside double quotes. */
  operator?: string;
}

function quotedFrom(text: string, start: number): Quoted | undefined {
  const quote = text[start];
  let inside = "";
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === quote) return { text: inside, end: at };
    if (quote === '"' && (letter === "$" || letter === "`")) return { text: inside, end: at, operator: letter };
    const isEscaped = quote === '"' && letter === "\\" && /["\\$`]/.test(text[at + 1] ?? "");
    inside += isEscaped ? text[++at] : letter;
  }
  return undefined;
}
