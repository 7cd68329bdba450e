import type { DecisionPolicy } from "../../contract/documents/decision-policy.ts";
import type { AnswerSource } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import type { Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Decisions } from "../../workspace/policies/decisions.ts";
import type { KnownAnswers } from "../known/known-answers.ts";
import type { Passed } from "../rules/escalation-events.ts";
import { isForPerson } from "../rules/escalation-resolving.ts";
import type { EscalationChanges } from "./escalation-changes.ts";
import type { Decided, ReviewOutcome } from "./reviewer.ts";

/** An agent that reviews questions on their way up. */
export interface Reviewer {
  /** As path and history name it. */
  name: string;
  review(asked: { escalation: StoredEscalation; facts: AnswerSource[]; isHanded: boolean }): Promise<ReviewOutcome>;
}

interface Parts {
  core: Pick<Core, "projects">;
  escalations: Pick<Escalations, "get" | "open">;
  changes: EscalationChanges;
  known: Pick<KnownAnswers, "facts">;
  decisions: Pick<Decisions, "policy">;
  reviewers: { project: (projectId: string) => Reviewer; main: Reviewer };
  onTrouble: (what: string, error: unknown) => void;
}

const MOST_FACTS = 12;
const AGAIN_MS = 5_000;
const AGENTS = { main: "The main agent", project: "The project's agent" };

/** Takes drafts up to the person, past agents that may answer from recorded facts. */
export class EscalationPath {
  readonly #parts: Parts;
  readonly #atWork = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Drafts that a restart left on their way. */
  start(): void {
    for (const { id, status } of this.#parts.escalations.open()) if (status === "draft") this.send(id);
  }

  /** Does not wait. */
  send(id: string): void {
    if (this.#isClosed || this.#atWork.has(id)) return;
    const work = this.#take(id)
      .catch((error) => this.#failed(id, error))
      .finally(() => this.#atWork.delete(id));
    this.#atWork.set(id, work);
  }

  /** Model calls under way are not waited for: the draft continues after the next start. */
  close(): void {
    this.#isClosed = true;
  }

  /** The person lets an agent decide. Throws when it can't. */
  async hand(id: string, to: "main" | "project", change: Change): Promise<StoredEscalation> {
    const { escalations, changes, reviewers } = this.#parts;
    const escalation = await escalations.get(id);
    const refuse = (message: string) => new HallError("escalation_refused", message, { hint: "Answer it yourself." });
    if (to === "project" && escalation.projectId === undefined)
      throw new HallError("invalid", `to: ${id} belongs to no project.`);
    // Refused before a model is paid: what is resolved, and what only a person may decide.
    if (escalation.status === "resolved" || isForPerson(escalation))
      return changes.step(id, { type: "resolve-handed", by: to, reason: "", resolution: "-" }, change);
    const reviewer = to === "main" ? reviewers.main : reviewers.project(escalation.projectId ?? "");
    const facts = await this.#factsFor(escalation);
    const outcome = await reviewer.review({ escalation, facts, isHanded: true });
    if ("error" in outcome) throw refuse(`${AGENTS[to]} could not decide ${id}: ${outcome.error}`);
    const { answer, resolution, reason } = chosen(escalation, outcome.decided);
    if (resolution === undefined && answer === undefined) throw refuse(`${AGENTS[to]} gave no answer to ${id}.`);
    const event = { type: "resolve-handed" as const, by: reviewer.name, answer, resolution, reason };
    return changes.step(id, event, change);
  }

  async #take(id: string): Promise<void> {
    const { escalations, changes } = this.#parts;
    const escalation = await escalations.get(id);
    if (escalation.status !== "draft") return;
    const facts = isForPerson(escalation) ? [] : await this.#factsFor(escalation);
    const passed: Passed[] = [];
    for (const reviewer of this.#reviewersOf(escalation)) {
      const reason = await this.#review(escalation, reviewer, facts);
      if (reason === undefined || this.#isClosed) return;
      passed.push({ by: reviewer.name, reason });
    }
    const by = passed.at(-1)?.by ?? "hall";
    await unlessMoved(changes.step(id, { type: "promote", by, passed }));
  }

  /** Why it is sent on; undefined when it is answered. */
  async #review(escalation: StoredEscalation, reviewer: Reviewer, facts: AnswerSource[]): Promise<string | undefined> {
    if (isForPerson(escalation)) return "Only the person decides this.";
    if (facts.length === 0) return "No recorded fact settles it.";
    const outcome = await reviewer.review({ escalation, facts, isHanded: false });
    if ("error" in outcome) return outcome.error;
    const { action, sources: cited, reason } = outcome.decided;
    if (action === "promote") return reason ?? "No recorded fact settles it.";
    const sources = cited.flatMap((id) => facts.find((fact) => fact.id === id) ?? unknownSource(id));
    const { answer, resolution } = chosen(escalation, outcome.decided);
    const given = facts.map((fact) => fact.id);
    const event = { type: "resolve-sourced" as const, by: reviewer.name, answer, resolution, sources, given };
    try {
      await this.#parts.changes.step(escalation.id, event);
      return undefined;
    } catch (error) {
      if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
      return error.message;
    }
  }

  async #factsFor({ question, type, projectId, suggestedAnswers }: StoredEscalation): Promise<AnswerSource[]> {
    return this.#parts.known.facts({ text: question, type, projectId, suggestedAnswers }, MOST_FACTS);
  }

  #reviewersOf(escalation: StoredEscalation): Reviewer[] {
    const { core, decisions, reviewers } = this.#parts;
    const { projectId } = escalation;
    const isActive = projectId !== undefined && core.projects.status(projectId) === "active";
    return reviewerSteps(decisions.policy(), escalation).flatMap((step) => {
      if (step === "main") return [reviewers.main];
      return isActive ? [reviewers.project(projectId)] : [];
    });
  }

  #failed(id: string, error: unknown): void {
    if (this.#isClosed || (error instanceof HallError && error.code === "escalation_not_found")) return;
    this.#parts.onTrouble(`${id} could not be sent on yet`, error);
    setTimeout(() => this.send(id), AGAIN_MS).unref();
  }
}

/** The agents between the asker and the person, in order. */
export function reviewerSteps(
  { path }: DecisionPolicy,
  { askers, escalationPath }: Pick<StoredEscalation, "askers" | "escalationPath">,
): ("project" | "main")[] {
  const asker = askers[0]?.kind ?? "person";
  // A program or a person asks the main agent first.
  const isOutside = asker === "person" || asker === "client";
  const above = isOutside ? path : path.slice(path.indexOf(asker) + 1);
  const had = (step: string) => escalationPath.some((name) => name === step || name.startsWith(`${step}:`));
  const reviewers = above.filter((step) => step === "project" || step === "main");
  return reviewers.filter((step) => !had(step) && !(isOutside && step === "project"));
}

/** An answer that is no suggestion is words. */
function chosen({ suggestedAnswers }: StoredEscalation, { answer, resolution, reason }: Decided) {
  const isLabel = answer !== undefined && suggestedAnswers.some(({ label }) => label === answer);
  const words = resolution?.trim() === "" ? undefined : resolution;
  return {
    answer: isLabel ? answer : undefined,
    resolution: words ?? (isLabel ? undefined : answer),
    reason: reason ?? "No reason was given.",
  };
}

function unknownSource(id: string): AnswerSource {
  return { kind: "knowledge", id, text: "", fingerprint: "" };
}

/** The person was faster. */
async function unlessMoved(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (error instanceof HallError && (error.code === "escalation_resolved" || error.code === "escalation_refused"))
      return;
    throw error;
  }
}
