/** Commands that change what those after them do: where they are, what variables and names mean, whether they run at all. */
const STATEFUL = new Set([
  ...["cd", "chdir", "pushd", "popd", "dirs", "fc", "history"],
  ...["export", "set", "unset", "alias", "unalias", "source", ".", "eval", "exec", "exit"],
  ...["return", "break", "continue", "read", "umask", "ulimit", "trap", "shift", "local", "declare", "typeset"],
  ...["readonly", "let", "shopt", "enable", "hash", "command", "builtin", "getopts", "wait", "fg", "bg", "jobs"],
  ...["mapfile", "readarray", "times", "type", "bind", "complete", "disown", "suspend", "logout", "caller"],
]);
/** In bash it sets a variable. */
const SETTING_PRINTF = /^printf[ \t].*-['"\\]*v/s;
const RESERVED = new Set([
  ...["if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in"],
  ...["function", "select", "time", "coproc", "{", "}", "!", "[["],
]);
/** The name of a command without anything that the shell would replace. */
const PLAIN_NAME = /^[A-Za-z0-9_./+@%:,-]+$/;
/** Outside of quotes: printable ASCII, spaces and tabs. */
const PLAIN = /^[\t\x20-\x7e]$/;

/** What may be escaped there: a blank would look like the end of its command, and be cut off. */
const ESCAPED = /^[\x21-\x7e]$/;

/** A command between two separators, and the commands of its pipeline. */
interface Part {
  text: string;
  piped: string[];
}

interface Scan {
  parts: Part[];
  at: number;
}

/**
 * The commands that a line of `sh` consists of, each of which may be allowed by itself: the line is split at `&&`, `||`, `;`
 * and line breaks. A pipeline is one command. Where a part could change what another one does, and wherever there is doubt,
 * the whole text is one command.
 */
export function splitCommand(text: string): string[] {
  const scan: Scan = { parts: [{ text: "", piped: [""] }], at: 0 };
  while (scan.at < text.length) if (!step(text, scan)) return [text];
  const { parts } = scan;
  // A line may end with a separator; nothing else may be empty.
  if (parts.length > 1 && trimmed(parts.at(-1)?.text ?? "") === "" && /[;\n][ \t]*$/.test(text)) parts.pop();
  return parts.every(isIndependent) ? parts.map((part) => trimmed(part.text)) : [text];
}

/** False where the text is more than commands one after the other. */
function step(text: string, scan: Scan): boolean {
  const char = text[scan.at] ?? "";
  const next = text[scan.at + 1];
  if (char === "'" || char === '"') return quoted(text, scan, char);
  if (char === "\\") return next !== undefined && ESCAPED.test(next) && taken(text, scan, 2);
  if (char === "&") return next === "&" && separated(scan, 2);
  if (char === "|") return next === "|" ? separated(scan, 2) : next !== "&" && piped(scan);
  if (char === ";") return next !== ";" && next !== "&" && separated(scan, 1);
  if (char === "\n") return separated(scan, 1);
  if ("$`<>(){}#".includes(char) || !PLAIN.test(char)) return false;
  return taken(text, scan, 1);
}

function taken(text: string, scan: Scan, count: number): true {
  const part = scan.parts.at(-1) as Part;
  const more = text.slice(scan.at, scan.at + count);
  part.text += more;
  part.piped.push((part.piped.pop() ?? "") + more);
  scan.at += count;
  return true;
}

function piped(scan: Scan): true {
  const part = scan.parts.at(-1) as Part;
  part.text += "|";
  part.piped.push("");
  scan.at += 1;
  return true;
}

function separated(scan: Scan, length: number): true {
  scan.parts.push({ text: "", piped: [""] });
  scan.at += length;
  return true;
}

/** In double quotes, substitution and escapes would have to be understood. */
function quoted(text: string, scan: Scan, quote: string): boolean {
  const end = text.indexOf(quote, scan.at + 1);
  if (end === -1) return false;
  const inside = text.slice(scan.at + 1, end);
  return !(quote === '"' && /[$`\\]/.test(inside)) && taken(text, scan, end + 1 - scan.at);
}

function isIndependent({ piped }: Part): boolean {
  return piped.every((command) => {
    const plain = trimmed(command);
    const [name = ""] = plain.split(/[ \t]/);
    return PLAIN_NAME.test(name) && !STATEFUL.has(name) && !RESERVED.has(name) && !SETTING_PRINTF.test(plain);
  });
}

/** Without blanks around it. Not by a pattern: that would read a long run of blanks again from each of them. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text[from])) from++;
  while (from < to && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}
