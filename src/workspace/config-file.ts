import { type Document, LineCounter, parseDocument, type YAMLError } from "yaml";
import { Config } from "../contract/documents/config.ts";
import { HallError } from "../contract/errors.ts";
import { plainWords } from "../contract/words/issue-words.ts";
import type { Files } from "../store/files/files.ts";
import { describeIssue } from "./hall/issues.ts";

export const CONFIG_FILE = "config.yml";

/**
 * Reads config.yml; a missing or empty one means the defaults. Anything doubtful stops the start, with its place but
 * never with its content: people put keys and passwords into settings.
 */
export function loadConfig(files: Pick<Files, "exists" | "text">): Config {
  return readConfig(configText(files));
}

/** Empty when there is no such file. */
export function configText(files: Pick<Files, "exists" | "text">): string {
  return files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "";
}

/** The version that the file says it has; undefined when it says none. */
export function configVersion(text: string): unknown {
  return parseDocument(text).get("version");
}

/** The text with another version, and all else as it is. What the hall could not start with is refused. */
export function withConfigVersion(text: string, version: number): string {
  const inPlace = text
    .replace(/^(version:[ \t]*)\d+[ \t]*$/m, `$1${version} # older versions of Guildhall cannot open this workspace`)
    .replace(/^(version:[ \t]*)\d+/m, `$1${version}`);
  const document = parseDocument(text);
  document.set("version", version);
  const after = configVersion(inPlace) === version ? inPlace : document.toString();
  readConfig(after);
  return after;
}

export function readConfig(text: string): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: true, strict: true, lineCounter: lines });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined) throw invalid(plainReason(fault), fault.linePos?.[0].line ?? 1);
  const value = contentOf(document) ?? {};
  if (typeof value !== "object" || Array.isArray(value)) throw invalid("it must be a mapping of keys to values", 1);
  const parsed = Config.safeParse(value, { error: plainWords });
  if (parsed.success && !Object.hasOwn(value, "__proto__")) return parsed.data;
  if (parsed.success) throw invalid("__proto__: is not a known key", 1);
  const { path, reason } = describeIssue(parsed.error);
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  throw invalid(reason, node?.range === undefined ? 1 : lines.linePos(node.range[0]).line);
}

/** Which of these keys stand in config.yml, whatever they say there. */
export function keysIn(files: Files, keys: readonly string[]): Set<string> {
  const document = parseDocument(files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "");
  return new Set(keys.filter((key) => document.hasIn(key.split("."))));
}

function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    throw invalid("it has an alias (*) without its anchor (&), or too many; put the value in quotes", 1);
  }
}

/** The package's words without the piece of the file that it quotes after a colon, and without its own advice. */
function plainReason(fault: YAMLError): string {
  if (fault.code === "MULTIPLE_DOCS") return "it contains more than one YAML document";
  const words = fault.message.split("\n")[0] ?? "";
  return `it is not YAML (${words
    .replace(/ at line .*$/, "")
    .replace(/[:\\].*$/, "")
    .trim()})`;
}

function invalid(reason: string, line: number): HallError {
  return new HallError("config_invalid", `config.yml is not valid: ${reason}.`, { file: CONFIG_FILE, line });
}
