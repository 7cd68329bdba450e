import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { findingId } from "../checks/finding-ids.ts";

interface Found extends Pick<GateFinding, "code" | "severity" | "message" | "file" | "line" | "fix" | "requirements"> {
  /** What makes it the same finding in the next cycle, beside code and file: never a line number. */
  about?: string | undefined;
  /** Critical and high ones unless given. */
  blocks?: boolean | undefined;
}

/** A finding that counts. */
export function found({ about = "", blocks, ...finding }: Found): GateFinding {
  return {
    ...finding,
    id: findingId(finding.code, finding.file, about),
    state: "open",
    blocks: blocks ?? (finding.severity === "critical" || finding.severity === "high"),
  };
}
