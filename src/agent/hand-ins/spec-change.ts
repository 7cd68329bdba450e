import type { z } from "zod";
import { SpecChange } from "../../contract/runs/hand-in.ts";
import type { SddMode } from "../../contract/words/teams/team-words.ts";
import { Faults, isRecord, oneLine, type Read, refused } from "./reading.ts";
import { readSpec } from "./spec.ts";

/** What a lead says of a gap in its spec: why, and the whole new spec where it has to change. */
export function readSpecChange(value: unknown, order: { mode: SddMode }): Read<z.infer<typeof SpecChange>> {
  if (!isRecord(value)) return refused("input: must be an object with reason, and spec if it has to change");
  const reason = oneLine(value.reason);
  if (value.spec === undefined || value.spec === null) return new Faults().judge(SpecChange, { reason });
  const spec = readSpec(value.spec, order);
  if (!spec.ok) return { ok: false, faults: spec.faults.map((fault) => `spec.${fault}`) };
  return new Faults().judge(SpecChange, { reason, spec: spec.value });
}
