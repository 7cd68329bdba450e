import type { Cycle } from "../../contract/documents/autonomy/orchestrator.ts";
import { TASK_PRIORITIES } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Idea } from "./ideas.ts";
import type { LeadsPort } from "./leads-port.ts";
import { questionOf, type Verdict } from "./questions.ts";
import type { Proposal } from "./state.ts";

export type Start = Cycle["starts"][number];

export interface EffectsParts {
  core: Pick<Core, "clock" | "projects" | "tasks">;
  hall: Pick<Hall, "escalations" | "documents" | "tasks" | "replay">;
  leads: LeadsPort;
}

/** Carries out what a cycle decided. Whatever is asked for again happens once. */
export class OrchestratorEffects {
  readonly #parts: EffectsParts;

  constructor(parts: EffectsParts) {
    this.#parts = parts;
  }

  /** `whyNot`: what the person paused, suspended or limited since it was decided. Rejects with what passes. */
  async start(start: Start, whyNot: (start: Start) => string | undefined): Promise<Start> {
    const { leads } = this.#parts;
    const { leadId: id, projectId, initiative, why } = start;
    const isKnown = leads.list().some((lead) => lead.id === id);
    if (isKnown) return { ...start, outcome: "started" };
    const reason = whyNot(start);
    if (reason !== undefined) return { ...start, outcome: "refused", problem: reason };
    try {
      await leads.start({ id, projectId, initiative, startedBy: BY_DAEMON, why: `Orchestrator: ${why}` });
      return { ...start, outcome: "started" };
    } catch (error) {
      return { ...start, outcome: "failed", problem: refusalIn(error) };
    }
  }

  /** The escalation that asks the person. Asked for again under the same key, it is there once. */
  async ask(idea: Idea): Promise<string> {
    const { core, hall } = this.#parts;
    const request = { key: `orchestrator ${idea.key}`, fingerprint: "" };
    const done = hall.replay(request);
    if (done !== undefined) return done.subjectId;
    const fields = questionOf(idea, core.clock().toISOString());
    const { id } = await hall.escalations.create(fields, { actor: BY_DAEMON, request });
    return id;
  }

  /** How the question was answered; undefined while it is open. One that is gone counts as declined. */
  async answerOf({ escalationId }: Proposal): Promise<StoredEscalation | "gone" | undefined> {
    try {
      const found = await this.#parts.hall.escalations.get(escalationId ?? "");
      return found.status === "resolved" ? found : undefined;
    } catch (error) {
      if (error instanceof HallError && error.code === "escalation_not_found") return "gone";
      throw error;
    }
  }

  /** Rejects with HallError what can't be done. */
  async carryOut(verdict: Verdict, of: Pick<Idea, "projectId" | "slug" | "title" | "goals" | "tasks">): Promise<void> {
    const { projectId = "", slug, title, goals, tasks } = of;
    if (verdict === "create" && slug !== undefined) await this.#create(projectId, { slug, title, goals });
    if (verdict === "raise") for (const id of tasks) await this.#raise(projectId, id);
    if (verdict === "cancel") for (const id of tasks) await this.#cancel(projectId, id);
  }

  async #create(projectId: string, body: { slug: string; title: string; goals: string[] }): Promise<void> {
    try {
      await this.#parts.hall.documents.createInitiative(projectId, body, { actor: BY_DAEMON });
    } catch (error) {
      if (!(error instanceof HallError && error.code === "already_exists")) throw error;
    }
  }

  /** The key of the change keeps a task from being raised twice. */
  async #raise(projectId: string, id: string): Promise<void> {
    const { core, hall } = this.#parts;
    const task = core.tasks.record(projectId, id);
    const next = task && TASK_PRIORITIES[TASK_PRIORITIES.indexOf(task.priority) + 1];
    const request = { key: `orchestrator raise ${projectId} ${id}`, fingerprint: "" };
    if (next === undefined || hall.replay(request) !== undefined) return;
    await hall.tasks.update(projectId, id, { priority: next }, { actor: BY_DAEMON, request });
  }

  async #cancel(projectId: string, id: string): Promise<void> {
    const { core, hall } = this.#parts;
    const status = core.tasks.record(projectId, id)?.status;
    if (status !== "pending" && status !== "assigned") return;
    await hall.tasks.move(projectId, id, { status: "cancelled" }, { actor: BY_DAEMON });
  }
}

/** Why it was refused; a full disk or a daemon that stops is thrown: the same is attempted again. */
export function refusalIn(error: unknown): string {
  if (!(error instanceof HallError)) throw error;
  if (error.retryable || error.code === "storage_failed" || error.code === "stopping") throw error;
  return error.message;
}
