import { placesOf, replaceAt } from "../agent/tools/files/edit-places.ts";
import { patchRefusal } from "../agent/tools/memory-tools.ts";
import { MOST_PLAN_CHARACTERS, PLAN_QUESTIONS, type PlanQuestion } from "../agent/tools/plan-tools.ts";
import { HallError } from "../contract/errors.ts";
import { checkedInput } from "../processes/hall-questions.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { BoardAsker } from "./board-desk.ts";

const SHOWN = 100;

/** What a project's agent asks of the plans of its initiatives, and does to them, in words. */
export class PlanDesk {
  readonly #hall: Hall;

  constructor(hall: Hall) {
    this.#hall = hall;
  }

  async ask(what: PlanQuestion, given: unknown, asker: BoardAsker): Promise<string> {
    switch (what) {
      case "initiative_list":
        return this.#list(asker.projectId);
      case "initiative_create":
        return this.#create(given, asker);
      case "plan_read": {
        const { slug } = checkedInput(PLAN_QUESTIONS.plan_read, given);
        const read = () => this.#hall.documents.read(asker.projectId, `plans/${slug}/plan.md`);
        return (await ofPlan(slug, read)).content;
      }
      case "plan_edit":
        return this.#edit(given, asker);
    }
  }

  #list(projectId: string): string {
    const all = this.#hall.documents.initiatives(projectId);
    if (all.length === 0) return "No initiatives yet.";
    const lines = all
      .slice(0, SHOWN)
      .map(({ slug, title, tasks: { done, total } }) => `${slug}: ${title} (${done} of ${total} tasks done)`);
    return [...lines, ...(all.length > SHOWN ? [`(and ${all.length - SHOWN} more)`] : [])].join("\n");
  }

  async #create(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const { title, goals } = checkedInput(PLAN_QUESTIONS.initiative_create, given);
    const request = { key: callId, fingerprint: "" };
    const slug =
      this.#hall.replay(request)?.subjectId ??
      (await this.#hall.documents.createInitiative(projectId, { title, goals }, { actor, request })).slug;
    const { status } = this.#hall.documents.initiative(projectId, slug);
    const waits = status === "paused" ? " It is paused until the person resumes it." : "";
    return `Initiative '${slug}' created; its plan is plans/${slug}/plan.md. Set its tasks' plan to "${slug}".${waits}`;
  }

  async #edit(given: unknown, { projectId, actor, callId }: BoardAsker): Promise<string> {
    const { slug, old, new: put } = checkedInput(PLAN_QUESTIONS.plan_edit, given);
    const request = { key: callId, fingerprint: "" };
    const edit = (text: string) => edited(text, old, put);
    if (this.#hall.replay(request) === undefined)
      await ofPlan(slug, () => this.#hall.documents.editPlan(projectId, { slug, edit }, { actor, request }));
    return `Plan of '${slug}' updated.`;
  }
}

async function ofPlan<Result>(slug: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HallError) || error.code !== "file_not_found") throw error;
    throw new HallError("file_not_found", `There is no initiative '${slug}'.`, {
      hint: "Use initiative_list, or create it with initiative_create.",
    });
  }
}

function edited(text: string, old: string | undefined, put: string): string {
  const next = old === undefined ? withMore(text, put) : replaced(text, old, put);
  if (next.length > MOST_PLAN_CHARACTERS)
    throw new HallError("too_large", `The plan would have more than ${MOST_PLAN_CHARACTERS} characters.`, {
      hint: "Remove finished parts; tasks and knowledge keep the rest.",
    });
  return next;
}

function withMore(text: string, put: string): string {
  if (put.trim() === "") throw new HallError("invalid", "Nothing to add.");
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${put.trimEnd()}\n`;
}

function replaced(text: string, old: string, put: string): string {
  const refusal = patchRefusal(text, old, put);
  if (refusal !== undefined) throw new HallError("invalid", refusal, { hint: "Use plan_read to see it." });
  return replaceAt(text, placesOf(text, old, { overlapping: true, most: 2 }), put);
}
