import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { HallError } from "../../contract/errors.ts";

const LARGEST = 100_000;
/** Of one value; keys and certificates have fewer. */
const MOST_LINES = 500;
const ENTRY = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/;

export interface Secrets {
  values: Record<string, string>;
  /** What the person should know, without a word of what is in the file. */
  warning: string | undefined;
}

/**
 * Keys from a file of NAME=value lines that only its owner can read; there may be none. Whoever only looks leaves its
 * permissions: they are what tells the next daemon, and its person, that the keys may be known.
 */
export function loadSecrets(path: string, { isLooking = false } = {}): Secrets {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { values: {}, warning: undefined };
  if (!stats.isFile() || stats.size > LARGEST) throw unreadable("it must be a small file of lines NAME=value");
  const wasOpen = (stats.mode & 0o077) !== 0 && !isLooking;
  if (wasOpen) chmodSync(path, 0o600);
  const { values, badLines } = parseSecrets(readText(path));
  const warnings = [
    ...(wasOpen
      ? ["it was readable by others; its permissions were corrected, but other users may have read the keys"]
      : []),
    ...(badLines.length > 0 ? [`line ${badLines.join(", ")}: ignored, not in the form NAME=value`] : []),
  ];
  return { values, warning: warnings.length === 0 ? undefined : warnings.join("; ") };
}

const BEGINNING = `# API keys, one per line: NAME=value. Environment variables take precedence. Only you can read this file.
# Set keys in the dashboard (Settings) or with 'guildhall key set'; keys of model providers apply at once.
# ANTHROPIC_API_KEY=
`;

/** So that whoever looks for the place of a key finds it. What is there, even a link, stays; nothing depends on it. */
export function makeSecrets(path: string): void {
  try {
    writeFileSync(path, BEGINNING, { flag: "wx", mode: 0o600 });
  } catch {
    // It is there already, or the disk is full.
  }
}

/** A variable that is set goes before the file; an empty one counts as not set. */
export function withSecrets(
  environment: Record<string, string | undefined>,
  secrets: Record<string, string>,
): Record<string, string | undefined> {
  return { ...secrets, ...Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== "")) };
}

/** The file's text with this entry, in place of an earlier one of that name; every other line stays. */
export function withSecret(text: string, name: string, value: string): string {
  const rest = withoutSecret(text, name);
  return `${rest === "" || rest.endsWith("\n") ? rest : `${rest}\n`}${name}=${value}\n`;
}

export function withoutSecret(text: string, name: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, found, value] = ENTRY.exec(line.replace(/^\ufeff/, "").trim()) ?? [];
    if (found !== name) kept.push(line);
    else at = endOfQuoted(lines, at, value ?? "");
  }
  return kept.join("\n");
}

/** Before a text is written that the next start would refuse. */
export function assertReadable(text: string): void {
  if (Buffer.byteLength(text) <= LARGEST) return;
  throw new HallError("invalid", ".guildhall/secrets would become too large.", {
    file: ".guildhall/secrets",
    hint: "Remove keys that are no longer used.",
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw unreadable("it cannot be read");
  }
}

function unreadable(reason: string): HallError {
  const hint = "Make it owned by the user who runs the daemon, with mode 0600, or remove it.";
  return new HallError("config_invalid", `.guildhall/secrets can't be used: ${reason}.`, {
    file: ".guildhall/secrets",
    hint,
  });
}

export function parseSecrets(text: string): { values: Record<string, string>; badLines: number[] } {
  const values: Record<string, string> = {};
  const badLines: number[] = [];
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? "";
    if (line === "" || line.startsWith("#")) continue;
    const [, name, value] = ENTRY.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      badLines.push(at + 1);
      continue;
    }
    const end = endOfQuoted(lines, at, value);
    values[name] = unquoted([value, ...lines.slice(at + 1, end + 1)].join("\n").trimEnd());
    at = end;
  }
  return { values, badLines };
}

/** The line in which a value ends: a quoted one may have several, if its quote is closed further down. */
function endOfQuoted(lines: readonly string[], at: number, value: string): number {
  const quote = value.charAt(0);
  if ((quote !== '"' && quote !== "'") || value.indexOf(quote, 1) !== -1) return at;
  const closed = new RegExp(`^[^${quote}]*${quote}\\s*(?:#.*)?$`);
  for (let next = at + 1; next < lines.length && next <= at + MOST_LINES; next++) {
    const line = lines[next] ?? "";
    if (line.includes(quote)) return closed.test(line) ? next : at;
  }
  return at;
}

/** As in shell and .env files: quotes are taken off, and a comment may follow after a space. */
function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/s.exec(value);
  return quoted?.[2] ?? value.replace(/\s+#.*$/, "");
}
