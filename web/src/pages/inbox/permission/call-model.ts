import type { PermissionRequest } from "../../../../../src/contract/documents/permission.ts";
import { editOf, type FileEdit } from "../../run/transcript/edit-model.ts";
import { fieldsOf, inputText } from "../../run/transcript/input-text.ts";

/** How a call that waits for permission is shown. `isCut`: its input is longer than what is known of it. */
export type ShownCall = { isCut: boolean } & (
  | { kind: "command"; command: string; others: string }
  | { kind: "edit"; edit: FileEdit; others: string }
  | { kind: "input"; text: string }
);

const EDIT_FIELDS: readonly string[] = ["path", "oldText", "newText", "content"];

/** A command as it would run, a change as a diff, and everything else as it was written. */
export function shownCall({
  tool,
  input,
  replaces,
}: Pick<PermissionRequest, "tool" | "input" | "replaces">): ShownCall {
  const fields = fieldsOf(input);
  const isCut = fields === undefined;
  // Parsed as the daemon parses it: in an input that names a field twice, the last one is what would run.
  const command = fields?.command;
  if (tool === "exec" && typeof command === "string")
    return { kind: "command", command, others: othersIn(fields, ["command"]), isCut };
  const edit = editOf({ name: tool, input, before: replaces?.text });
  if (edit !== undefined) return { kind: "edit", edit, others: othersIn(fields, EDIT_FIELDS), isCut };
  return { kind: "input", text: inputText(input), isCut };
}

/** The rest of the input, so that nothing of it is missing. */
function othersIn(fields: Record<string, unknown> | undefined, shown: readonly string[]): string {
  const rest = Object.entries(fields ?? {}).filter(([name]) => !shown.includes(name));
  return rest
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}
