import type { Requirement } from "./requirements.ts";

/** Where requirements are named: paths, and the ids of tasks and commits. */
export interface Links {
  code: readonly string[];
  tests: readonly string[];
  texts: readonly string[];
}

/** `full`: implemented and tested. `partial`: only one of them, or only announced. */
type Compliance = "full" | "partial" | "missing";
/** `linked`: code and tests name it. `partial`: one of them does. */
type Trace = "linked" | "partial" | "missing";

export interface CoveredRequirement extends Requirement {
  links: Links;
  compliance: Compliance;
  trace: Trace;
}

/** A stage passes from here on. */
export const LEAST_SCORE = 70;

export function coverageOf(requirements: readonly Requirement[], linksOf: (id: string) => Links): CoveredRequirement[] {
  return requirements.map((requirement) => {
    const links = linksOf(requirement.id);
    return { ...requirement, links, compliance: complianceOf(links), trace: traceOf(links) };
  });
}

function complianceOf({ code, tests, texts }: Links): Compliance {
  const isMeant = code.length > 0 || texts.length > 0;
  if (tests.length > 0 && isMeant) return "full";
  return tests.length > 0 || isMeant ? "partial" : "missing";
}

function traceOf({ code, tests }: Links): Trace {
  if (code.length > 0 && tests.length > 0) return "linked";
  return code.length > 0 || tests.length > 0 ? "partial" : "missing";
}

/** (full + 0.5 · partial) / total, of 100. */
export function scoreOf(states: readonly (Compliance | Trace)[]): number {
  const points = { full: 1, linked: 1, partial: 0.5, missing: 0 } as const;
  const sum = states.reduce((total, state) => total + points[state], 0);
  return states.length === 0 ? 100 : Math.round((sum / states.length) * 1_000) / 10;
}
