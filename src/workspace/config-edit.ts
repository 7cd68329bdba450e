import { isCollection, isMap, parseDocument } from "yaml";
import type { FirstSettings } from "../contract/first-look.ts";
import type { Files } from "../store/files/files.ts";
import { CONFIG_FILE, configText, readConfig } from "./config-file.ts";

/** Changes to config.yml by key, such as `limits.runs`. */
export interface ConfigEdit {
  set: Readonly<Record<string, unknown>>;
  /** Keys that are removed, so that their default applies. */
  reset: readonly string[];
  /** For names with dots in them, such as those of models. */
  entries?: readonly { path: readonly string[]; value: unknown }[];
}

/** The text with these changes; comments, order and every other line stay. Settings that are not valid are refused. */
export function editConfig(text: string, { set, reset, entries = [] }: ConfigEdit): string {
  readConfig(text);
  const document = parseDocument(text);
  const remove = (path: readonly string[]): void => {
    if (!document.hasIn(path)) return;
    document.deleteIn(path);
    const parent = path.slice(0, -1);
    const rest = parent.length === 0 ? undefined : document.getIn(parent);
    // A section without keys says nothing, and some sections need keys.
    if (isMap(rest) && rest.items.length === 0) remove(parent);
  };
  for (const key of reset) remove(key.split("."));
  const named = Object.entries(set).map(([key, value]) => ({ path: key.split("."), value }));
  for (const { path, value } of [...named, ...entries]) {
    if (value === undefined) continue;
    for (let depth = 1; depth < path.length; depth++) {
      const above = path.slice(0, depth);
      if (!isCollection(document.getIn(above))) document.setIn(above, document.createNode({}));
    }
    document.setIn(path, document.createNode(value));
  }
  const after =
    document.contents === null || isEmptyMap(document.contents)
      ? withoutContent(document)
      : document.toString({ lineWidth: 0 });
  readConfig(after);
  return after;
}

/** What was chosen when the workspace was set up. */
export async function writeFirstSettings(files: Files, { defaultModel, dayUsd }: FirstSettings): Promise<void> {
  if (defaultModel === undefined && dayUsd === undefined) return;
  const set = { "models.default": defaultModel, "budget.dayUsd": dayUsd };
  await files.replace(CONFIG_FILE, editConfig(configText(files), { set, reset: [] }));
}

function isEmptyMap(node: unknown): boolean {
  return isMap(node) && node.items.length === 0;
}

/** Only the comments of a file whose last key was removed. */
function withoutContent(document: ReturnType<typeof parseDocument>): string {
  document.contents = null;
  return document.toString().replace(/^null\n?/m, "");
}
