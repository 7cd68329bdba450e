/** A program and its arguments in one line, with quotes as in JSON where a part needs them. */
export function commandText(command: readonly string[]): string {
  return command.map((part) => (/^[^\s"'`\\]+$/.test(part) ? part : quoted(part))).join(" ");
}

/** The line stands between backticks. */
const quoted = (part: string) => JSON.stringify(part).replaceAll("`", "\\u0060");

/** The parts of such a line; undefined where a quote has no end. */
export function commandParts(text: string): string[] | undefined {
  const parts: string[] = [];
  const pattern = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+))(?=\s|$)/y;
  const line = text.trim();
  while (pattern.lastIndex < line.length) {
    const found = pattern.exec(line);
    if (found === null) return undefined;
    const [, double, single, plain = ""] = found;
    const part = double === undefined ? (single ?? plain) : unquoted(double);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function unquoted(text: string): string | undefined {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
