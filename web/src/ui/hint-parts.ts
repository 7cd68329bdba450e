export interface HintPart {
  text: string;
  isCommand: boolean;
}

const COMMAND = /'((?:guildhall|git) [^']+)'/;

/** A hint of the daemon, which speaks to people at a terminal too: its words, and the commands among them. */
export function hintParts(hint: string): HintPart[] {
  // Every second part is what stood in the brackets of the expression.
  const parts = hint.split(COMMAND).map((text, at) => ({ text, isCommand: at % 2 === 1 }));
  const said = parts.filter(({ text }) => text !== "");
  if (!said.some(({ isCommand }) => isCommand)) return said;
  const [first, ...rest] = said;
  if (first === undefined || first.isCommand) return [{ text: "In a terminal: ", isCommand: false }, ...said];
  const begun = first.text.charAt(0).toLowerCase() + first.text.slice(1);
  return [{ text: `In a terminal: ${begun}`, isCommand: false }, ...rest];
}
