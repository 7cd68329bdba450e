import {
  LEAST_THRESHOLD,
  MOST_THRESHOLD,
  type ProjectQualityGates,
  type QualityGates,
} from "../../contract/documents/quality/quality-gates.ts";

/** The settings of the hall, with what a project sets itself: key by key, of commands and time limits one by one. */
export function mergeGateSettings(hall: QualityGates, project: ProjectQualityGates | undefined): QualityGates {
  const { commands, timeoutSeconds, ...own } = given(project ?? {});
  const merged = { ...hall, ...own };
  return {
    ...merged,
    passThreshold: clamped(merged.passThreshold),
    commands: { ...hall.commands, ...given(commands ?? {}) },
    timeoutSeconds: { ...hall.timeoutSeconds, ...given(timeoutSeconds ?? {}) },
  };
}

function clamped(threshold: number): number {
  return Math.min(MOST_THRESHOLD, Math.max(LEAST_THRESHOLD, threshold));
}

type Given<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** Without keys that are there and hold nothing: they must not take a default's place. */
function given<Value extends object>(value: Value): Given<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Given<Value>;
}
