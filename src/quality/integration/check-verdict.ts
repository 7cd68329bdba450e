import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import type { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import { HallError } from "../../contract/errors.ts";

export type CheckStep = IntegrationCheck["steps"][number];

/** What a person may accept: the rest is a fact that no reason changes. */
const WAIVABLE: readonly GateFinding["code"][] = ["unwired", "conflict"];

export function judgedSteps(steps: readonly CheckStep[]): Pick<IntegrationCheck, "verdict" | "reason"> {
  if (steps.some(({ verdict }) => verdict === "fail")) return { verdict: "fail" };
  const unable = steps.find(({ verdict }) => verdict === "unable");
  if (unable !== undefined) return { verdict: "unable", ...(unable.reason && { reason: unable.reason }) };
  const ran = steps.some(({ name, verdict }) => (name === "typecheck" || name === "tests") && verdict === "pass");
  if (ran) return { verdict: "pass" };
  return { verdict: "unable", reason: { code: "nothing-ran", text: "Neither a type checker nor tests could be run." } };
}

/** The check once a person has accepted one of its findings. */
export function withCheckWaiver(
  check: IntegrationCheck,
  findingId: string,
  waiver: NonNullable<GateFinding["waiver"]>,
): IntegrationCheck {
  if (check.state === "running")
    throw new HallError("gate_refused", "The check is still running. Wait until it is finished.");
  const finding = check.steps.flatMap(({ findings }) => findings).find(({ id }) => id === findingId);
  if (finding === undefined)
    throw new HallError("finding_not_found", `Integration check ${check.id} has no finding '${findingId}'.`);
  if (finding.state === "waived") return check;
  if (!WAIVABLE.includes(finding.code))
    throw new HallError(
      "gate_refused",
      "Code that doesn't compile, failing tests and parts that can't be merged can't be waived.",
    );
  const steps = check.steps.map((step) => waivedIn(step, findingId, waiver));
  const { reason: _, ...rest } = check;
  return { ...rest, steps, ...judgedSteps(steps) };
}

function waivedIn(step: CheckStep, findingId: string, waiver: NonNullable<GateFinding["waiver"]>): CheckStep {
  const findings = step.findings.map((each) =>
    each.id === findingId ? { ...each, state: "waived" as const, blocks: false, waiver } : each,
  );
  const isFreed = step.verdict === "fail" && !findings.some(({ blocks }) => blocks);
  return { ...step, findings, verdict: isFreed ? "pass" : step.verdict };
}
