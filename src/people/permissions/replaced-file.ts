import { reachExisting } from "../../agent/tools/files/working-files.ts";
import { LONGEST_REPLACED, type PermissionRequest } from "../../contract/documents/permission.ts";
import { Files } from "../../store/files/files.ts";

/** What a write would replace. Undefined where there is no such file, or agents may not read it. */
export function replacedBy(
  { tool, input }: Pick<PermissionRequest, "tool" | "input">,
  workdir: string | undefined,
  redact: (text: string) => string,
): PermissionRequest["replaces"] {
  if (tool !== "write" || workdir === undefined) return undefined;
  try {
    const files = new Files(workdir);
    const { path, standing } = reachExisting(files, String(JSON.parse(input).path), "read");
    const bytes = standing.size;
    if (bytes > LONGEST_REPLACED) return { bytes };
    const text = redact(files.readContained(path, ".").toString("utf8"));
    return text.includes("\0") || text.length > LONGEST_REPLACED ? { bytes } : { bytes, text };
  } catch {
    // The call is shown without it, and says itself what is wrong with its path.
    return undefined;
  }
}
