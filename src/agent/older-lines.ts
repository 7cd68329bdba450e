import type { RunPurpose } from "../contract/run.ts";

/** As runs and plans were written before their purpose was: what is now a review was an opinion. */
interface Older {
  purpose?: RunPurpose;
  opinion?: { of?: string };
}

/** A run or a plan as it is written now, from a line of this version or of the one before. */
export function withPurpose<Written extends { purpose: RunPurpose; reviewOf?: string | undefined }>(
  written: Written,
): Written {
  const { opinion, ...older } = written as Written & Older;
  if (older.purpose !== undefined) return written;
  if (opinion === undefined) return { ...written, purpose: "work" };
  return { ...(older as Written), purpose: "review", ...(opinion.of === undefined ? {} : { reviewOf: opinion.of }) };
}
