import { BOARD_QUESTIONS, type BoardQuestion } from "../../agent/tools/board-tools.ts";
import { LEAD_QUESTIONS, type LeadQuestion } from "../../agent/tools/lead-tools.ts";
import { HallError } from "../../contract/errors.ts";
import { checkedInput } from "../../processes/hall-questions.ts";
import { idOf } from "../../projects/channels/exchange.ts";
import type { LeadCall, Leading, LeadTurn, StartRun } from "../../projects/leading.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { LeadKeeper } from "./lead-keeper.ts";
import { isWaiting } from "./lead-rule.ts";
import { type LeadLine, type LeadState, leadOfRoot } from "./lead-state.ts";
import { leadContext, statusText } from "./lead-status.ts";
import type { LeadStore, Place } from "./lead-store.ts";
import { initiativeIn, isOffHours, takeable, type WorldParts, workOf } from "./lead-world.ts";
import { assertReportable, reportOf } from "./report-rule.ts";

const NONE = "You lead no initiative now.";
const PRIORITY_RULE = "Tasks are taken by priority.";
const STARTABLE = new Set(["pending", "assigned"]);

interface TeamTaskStart extends Pick<LeadCall, "projectId" | "ask"> {
  taskId: string;
  goal: string;
  id: string;
}

interface Parts extends WorldParts {
  core: Core;
  hall: Hall;
  store: LeadStore;
  keeper: Pick<LeadKeeper, "alone" | "look">;
  /** Starts a team for a task, once under one id. */
  startTeam: (start: TeamTaskStart) => Promise<void>;
}

interface Found {
  lead: LeadState;
  place: Place;
}

/** What the agents of projects ask and are told in turns about their initiatives. */
export class LeadAnswers implements Leading {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  told(_projectId: string, root: string | undefined): string | undefined {
    const found = this.#find(root);
    if (found === undefined || found.lead.ended !== undefined) return undefined;
    return leadContext(this.#parts.hall, found.place, workOf(this.#parts, found.lead));
  }

  /** What came of a lead's work is dealt with also when the lead is over; what would have it work is not. */
  isWanted({ id }: { id: string }): boolean {
    const found = this.#find(id);
    return found === undefined || found.lead.ended === undefined;
  }

  turn(_projectId: string, root: string | undefined): LeadTurn | undefined {
    const found = this.#find(root);
    if (found === undefined || found.lead.ended !== undefined) return undefined;
    const { lead, place } = found;
    const { work, ready } = this.#standing(found);
    const counts = { atWork: work.atWork.length, parked: work.parked.length, ready };
    const hasReported = lead.report !== undefined;
    return {
      ...{ initiative: place.initiative, ready, hasReported },
      isWaiting: isWaiting(counts) || isOffHours(this.#parts, lead),
    };
  }

  initiativeOf(root: string | undefined): string | undefined {
    return this.#find(root)?.place.initiative;
  }

  async ask(what: LeadQuestion, input: unknown, call: LeadCall, start: StartRun): Promise<string> {
    const found = this.#working(call.root);
    switch (what) {
      case "initiative_status":
        return statusText(this.#parts.hall, found.place, workOf(this.#parts, found.lead));
      case "start_task":
        return this.#startTask(checkedInput(LEAD_QUESTIONS.start_task, input), call, { found, start });
      case "report_initiative":
        return this.#report(checkedInput(LEAD_QUESTIONS.report_initiative, input), found);
    }
  }

  /** A new task is one of the initiative unless it says otherwise; no task is begun before a more urgent one. */
  async onBoard(what: BoardQuestion, input: unknown, { root }: LeadCall): Promise<unknown> {
    const found = this.#find(root);
    if (found === undefined || found.lead.ended !== undefined) return input;
    if (what === "task_create") {
      const fields = checkedInput(BOARD_QUESTIONS.task_create, input);
      return { ...fields, plan: fields.plan ?? found.place.initiative };
    }
    if (what === "task_complete") this.#assertNext(found, checkedInput(BOARD_QUESTIONS.task_complete, input).id);
    if (what === "task_update") {
      const { id, status } = checkedInput(BOARD_QUESTIONS.task_update, input);
      if (status === "in-progress") this.#assertNext(found, id);
    }
    return input;
  }

  async noteRun(root: string | undefined, runId: string): Promise<void> {
    const found = this.#find(root);
    const taskId = this.#parts.core.runs.get(runId)?.run.taskId;
    if (found !== undefined) await this.#note(found, { type: "run", runId, ...(taskId && { taskId }) });
  }

  async #startTask(
    { task, by, role }: { task: string; by: "run" | "team"; role?: string | undefined },
    { projectId, callId, ask }: LeadCall,
    { found, start }: { found: Found; start: StartRun },
  ): Promise<string> {
    const taskId = taskIdOf(task);
    if (found.lead.report !== undefined) throw new HallError("invalid", "You have reported. End your turn.");
    if (by === "run") {
      if (role === undefined) throw new HallError("invalid", "role: is required for a run.");
      if (this.#parts.hall.replay({ key: callId, fingerprint: "" }) === undefined) this.#assertNext(found, taskId);
      return (await start({ projectId, taskId, role })).text;
    }
    const id = idOf("team", callId);
    if (!found.lead.teams.has(id)) {
      if (this.#parts.teamOf(id) === undefined) this.#assertNext(found, taskId);
      const { title, description } = await this.#parts.hall.tasks.get(projectId, taskId);
      const goal = description.trim() === "" ? title : `${title}\n\n${description}`;
      await this.#parts.startTeam({ projectId, taskId, goal, id, ask });
      await this.#note(found, { type: "team", teamId: id, taskId });
    }
    return `${id} is working on ${taskId}. You get a message when it ends; don't wait for it.`;
  }

  /** Refuses a task that is to be begun although a more urgent one is ready. */
  #assertNext(found: Found, task: string): void {
    const { projectId, initiative: slug } = found.place;
    const id = taskIdOf(task);
    const record = this.#parts.core.tasks.record(projectId, id);
    if (record === undefined) throw new HallError("task_not_found", `There is no task '${id}'.`);
    if (record.plan !== slug)
      throw new HallError("lead_refused", `${id} is not a task of '${slug}'. Set its plan first.`);
    if (!STARTABLE.has(record.status)) return;
    const { ready, initiative, work } = this.#standing(found);
    if (isOffHours(this.#parts, found.lead))
      throw new HallError(
        "lead_refused",
        "No work is started at this time of day. End your turn; you get a message later.",
      );
    if (work.held.has(id)) throw new HallError("lead_refused", `A person stopped the work on ${id}. Leave it.`);
    if (!ready.includes(id)) throw new HallError("lead_refused", `${id} is not ready.${offer(ready)}`);
    const priorityOf = (one: string) => initiative?.ready.find((task) => task.id === one)?.priority;
    const [first = id] = ready;
    if (priorityOf(id) === priorityOf(first)) return;
    throw new HallError(
      "lead_refused",
      `${PRIORITY_RULE} ${first} (${priorityOf(first)}) is ready and comes before ${id}.`,
      {
        hint: "Start it, change a priority if it is wrong, or escalate with blocksTask if it can't be done now.",
      },
    );
  }

  async #report(input: { summary: string; complete: boolean; nextSteps: string }, found: Found): Promise<string> {
    const { keeper, store, hall } = this.#parts;
    const { lead, place } = found;
    return keeper.alone(place.projectId, async () => {
      if (lead.ended !== undefined) throw new HallError("lead_refused", NONE);
      if (lead.report === undefined) {
        const { work, ready } = this.#standing(found);
        assertReportable(this.#parts, { place, work, ready, complete: input.complete });
        const report = reportOf(this.#parts, { lead, place, input });
        await store.append(place, [{ type: "reported", lead: lead.id, at: report.at, report }]);
      }
      if (lead.report?.isComplete === true && initiativeIn(hall, place)?.status === "active")
        await hall.documents.updateInitiative(
          place.projectId,
          place.initiative,
          { status: "complete" },
          { actor: { kind: "agent", id: `project:${place.projectId}`, via: "daemon" } },
        );
      return "Report saved. End your turn now.";
    });
  }

  async #note({ lead, place }: Found, fact: Extract<Noted, { type: "run" | "team" }>): Promise<void> {
    const { keeper, store, core } = this.#parts;
    await keeper.alone(place.projectId, async () => {
      const isKnown = fact.type === "run" ? lead.runs.has(fact.runId) : lead.teams.has(fact.teamId);
      if (isKnown || lead.ended !== undefined) return;
      await store.append(place, [{ ...fact, lead: lead.id, at: core.clock().toISOString() }]);
    });
  }

  #standing({ lead, place }: Found) {
    const initiative = initiativeIn(this.#parts.hall, place);
    const work = workOf(this.#parts, lead);
    return { initiative, work, ready: initiative === undefined ? [] : takeable(initiative, work) };
  }

  #working(root: string | undefined): Found {
    const found = this.#find(root);
    if (found === undefined || found.lead.ended !== undefined) throw new HallError("lead_refused", NONE);
    return found;
  }

  #find(root: string | undefined): Found | undefined {
    const id = leadOfRoot(root);
    const lead = id === undefined ? undefined : this.#parts.store.find(id);
    const place = id === undefined ? undefined : this.#parts.store.placeOf(id);
    return lead === undefined || place === undefined ? undefined : { lead, place };
  }
}

type Fact<Line> = Line extends LeadLine ? Omit<Line, "lead" | "at"> : never;
type Noted = Fact<LeadLine>;

function offer(ready: readonly string[]): string {
  return ready.length === 0 ? " No task is ready." : ` Ready: ${ready.slice(0, 10).join(", ")}.`;
}

/** Agents write small letters, and leave zeros out. */
function taskIdOf(given: string): string {
  return given.toUpperCase().replace(/^TASK-0*(\d+)$/, (_, digits: string) => `TASK-${digits.padStart(3, "0")}`);
}
