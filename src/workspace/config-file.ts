import { LineCounter, parseDocument } from "yaml";
import { Config } from "../contract/config.ts";
import { HallError } from "../contract/errors.ts";
import type { Files } from "../store/files.ts";
import { describeIssue } from "./issues.ts";

export const CONFIG_FILE = "config.yml";

/** Reads config.yml; a missing or empty one means the defaults. Anything doubtful stops the start, with its place. */
export function loadConfig(files: Files): Config {
  const text = files.exists(CONFIG_FILE) ? files.text(CONFIG_FILE) : "";
  const lines = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: true, strict: true, lineCounter: lines });
  const fault = document.errors[0] ?? document.warnings[0];
  if (fault !== undefined)
    throw invalid(fault.message.split("\n")[0] ?? "it is not YAML", fault.linePos?.[0].line ?? 1);
  const value: unknown = document.toJS({ maxAliasCount: 10 }) ?? {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("it must be a list of keys and values", 1);
  if (Object.hasOwn(value, "__proto__")) throw invalid("the key '__proto__' is not allowed", 1);
  const parsed = Config.safeParse(value);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path ?? [];
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  throw invalid(
    describeIssue(parsed.error, value).reason,
    node?.range === undefined ? 1 : lines.linePos(node.range[0]).line,
  );
}

function invalid(reason: string, line: number): HallError {
  return new HallError("config_invalid", `config.yml is not valid: ${reason}.`, { file: CONFIG_FILE, line });
}
