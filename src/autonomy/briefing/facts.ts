import type { Briefing, BriefRisk } from "../../contract/documents/autonomy/briefing.ts";
import type { EventType, HallEvent } from "../../contract/event.ts";
import { Delivery } from "../../contract/runs/delivery.ts";
import { RUN_STATUSES } from "../../contract/runs/run-status.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { GATE_VERDICTS } from "../../contract/words/gate-words.ts";
import { hasEnded, TEAM_STATUSES } from "../../contract/words/teams/team-words.ts";

/** The events that a briefing is made of. */
export const FACT_TYPES: ReadonlySet<EventType> = new Set([
  "run.ended",
  "run.approved",
  "run.reverted",
  "task.moved",
  "team.moved",
  "gate.finished",
  "escalation.created",
  "escalation.resolved",
  "budget.warned",
  "provider.paused",
  "provider.resumed",
  "project.crashed",
]);

/** What records call the things that events name by id; undefined: the record is gone. */
export interface FactNames {
  run: (id: string) => { title: string; roleId: string; taskId: string; teamId?: string | undefined } | undefined;
  task: (projectId: string, id: string) => string | undefined;
  team: (id: string) => string | undefined;
}

type Done = Briefing["done"];
type Merge = Done["merges"][number];

export interface DayFacts {
  done: Done;
  risks: BriefRisk[];
}

const LONGEST_REASON = 300;

/** What happened in a period, from its events, the oldest first. */
export function factsOf(events: readonly HallEvent[], names: FactNames): DayFacts {
  const facts = new Facts(names);
  for (const event of events) facts.take(event);
  return facts.end();
}

class Facts {
  readonly #names: FactNames;
  readonly #runs = new Map<string, Done["runs"][number]>();
  readonly #tasks = new Map<string, Done["tasks"][number]>();
  readonly #teams = new Map<string, Done["teams"][number]>();
  readonly #merges = new Map<string, Merge>();
  /** The newest of each result; one without a run stands for itself. */
  readonly #gates = new Map<string, Done["gates"][number] & { of: string }>();
  readonly #warnings = new Map<string, BriefRisk>();
  #asked = 0;
  #answered = 0;

  constructor(names: FactNames) {
    this.#names = names;
  }

  take(event: HallEvent): void {
    switch (event.type) {
      case "run.ended":
        this.#runEnded(event);
        break;
      case "run.approved":
        this.#merged(event);
        break;
      case "run.reverted":
        this.#merges.delete(event.subject.id);
        break;
      case "task.moved":
        this.#taskMoved(event);
        break;
      case "team.moved":
        this.#teamMoved(event);
        break;
      case "gate.finished":
        this.#judged(event);
        break;
      case "escalation.created":
        this.#asked++;
        break;
      case "escalation.resolved":
        this.#answered++;
        break;
      case "provider.resumed":
        this.#warnings.delete(`provider ${event.subject.id}`);
        break;
      default:
        this.#warned(event);
    }
  }

  end(): DayFacts {
    const runs = [...this.#runs.values()];
    const gates = [...this.#gates.values()];
    const count = (status: string) => runs.filter((run) => run.status === status).length;
    const judged = (verdict: string) => gates.filter((gate) => gate.verdict === verdict).length;
    const done = {
      runs,
      tasks: [...this.#tasks.values()],
      teams: [...this.#teams.values()],
      merges: [...this.#merges.values()],
      gates: gates.map(({ of: _, ...gate }) => gate),
    };
    const counts = {
      completed: count("completed"),
      failed: count("failed"),
      stopped: count("cancelled"),
      tasks: done.tasks.length,
      merges: done.merges.length,
      gatesPassed: judged("pass"),
      gatesFailed: judged("fail"),
      asked: this.#asked,
      answered: this.#answered,
    };
    return { done: { counts, ...done }, risks: [...this.#failures(), ...this.#warnings.values()] };
  }

  #runEnded(event: HallEvent): void {
    const { subject, projectId, after = {}, at } = event;
    const known = this.#names.run(subject.id);
    const status = oneOf(RUN_STATUSES, after.status);
    if (status === undefined) return;
    const delivery = Delivery.safeParse(after.delivery).data;
    const taskId = known?.taskId ?? textOf(after.taskId);
    const reason = status === "completed" ? undefined : textOf(after.error)?.split("\n")[0];
    this.#runs.set(subject.id, {
      id: subject.id,
      ...given({ projectId, taskId, roleId: known?.roleId, teamId: known?.teamId }),
      link: `/runs/${subject.id}`,
      title: known?.title ?? subject.id,
      status,
      endedAt: at,
      costUsd: typeof after.costUsd === "number" ? after.costUsd : 0,
      ...given({ reason: reason && cutText(reason, LONGEST_REASON), delivery: delivery?.state }),
    });
    if (delivery?.state === "delivered" && (delivery.files ?? 0) > 0) this.#merged(event);
  }

  #merged({ subject, projectId, after = {}, at, actor }: HallEvent): void {
    const delivery = Delivery.safeParse(after.delivery).data;
    if (delivery?.state !== "delivered") return;
    const known = this.#names.run(subject.id);
    this.#merges.set(subject.id, {
      id: subject.id,
      ...given({ projectId, taskId: known?.taskId ?? textOf(after.taskId) }),
      link: `/runs/${subject.id}?view=changes`,
      title: known?.title ?? subject.id,
      ...(delivery.kind === "branch" ? given({ target: delivery.target, commit: delivery.merge }) : {}),
      ...given({ files: delivery.files }),
      by: actor.kind === "person" || actor.kind === "client" ? "person" : "hall",
      at,
    });
  }

  #taskMoved({ subject, projectId = "", after = {}, at }: HallEvent): void {
    const key = `${projectId}/${subject.id}`;
    if (after.status !== "done") {
      // Reopened again.
      this.#tasks.delete(key);
      return;
    }
    const title = this.#names.task(projectId, subject.id) ?? subject.id;
    const link = `/projects/${projectId}/board?task=${subject.id}`;
    this.#tasks.set(key, { id: subject.id, projectId, link, title, doneAt: at });
  }

  #teamMoved({ subject, projectId, after = {}, at }: HallEvent): void {
    const status = oneOf(TEAM_STATUSES, after.status);
    if (status === undefined) return;
    if (!hasEnded(status)) {
      this.#teams.delete(subject.id);
      return;
    }
    const name = this.#names.team(subject.id) ?? subject.id;
    const link = `/teams/${subject.id}`;
    this.#teams.set(subject.id, { id: subject.id, ...given({ projectId }), link, name, status, endedAt: at });
  }

  #judged({ subject, projectId, after = {}, at }: HallEvent): void {
    const verdict = oneOf(GATE_VERDICTS, after.verdict);
    if (verdict === undefined) return;
    const score = typeof after.score === "number" ? after.score : null;
    const title = textOf(after.title) ?? subject.id;
    const gate = { id: subject.id, ...given({ projectId }), link: `/gates/${subject.id}`, title, verdict, score, at };
    this.#gates.set(subject.id, { ...gate, of: textOf(after.taskId) ?? textOf(after.runId) ?? subject.id });
  }

  #warned({ type, subject, projectId, after = {} }: HallEvent): void {
    const text = cutText(textOf(after.text) ?? textOf(after.cause) ?? "", LONGEST_REASON);
    const about = { id: subject.id, ...given({ projectId }) };
    if (type === "budget.warned")
      this.#warnings.set(`budget ${subject.id} ${text}`, { ...about, kind: "budget", link: "/costs", text });
    if (type === "provider.paused")
      this.#warnings.set(`provider ${subject.id}`, { ...about, kind: "provider", link: "/costs", text });
    if (type === "project.crashed")
      this.#warnings.set(`crash ${subject.id}`, { ...about, kind: "crash", link: `/projects/${subject.id}`, text });
  }

  /** Of a task, only what came last counts; one that is done since is no risk. */
  #failures(): BriefRisk[] {
    const isDone = (projectId = "", taskId = "") => this.#tasks.has(`${projectId}/${taskId}`);
    const lastRuns = new Map([...this.#runs.values()].map((run) => [`${run.projectId}/${run.taskId ?? run.id}`, run]));
    const lastGates = new Map([...this.#gates.values()].map((gate) => [`${gate.projectId}/${gate.of}`, gate]));
    const failed = [...lastRuns.values()].filter(
      ({ status, projectId, taskId }) => status === "failed" && !isDone(projectId, taskId),
    );
    const rejected = [...lastGates.values()].filter(
      ({ verdict, projectId, of }) => verdict === "fail" && !isDone(projectId, of),
    );
    return [
      ...failed.map(({ id, projectId, link, title, reason }) => ({
        ...{ kind: "failed" as const, id, ...given({ projectId }), link },
        text: reason === undefined ? title : `${title}: ${reason}`,
      })),
      ...rejected.map(({ id, projectId, link, title, score }) => ({
        ...{ kind: "gate" as const, id, ...given({ projectId }), link },
        text: score === null ? title : `${title} (score ${Math.round(score)})`,
      })),
    ];
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function oneOf<const Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((one) => one === value);
}

type Given<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
};

/** Without what is undefined. */
export function given<Fields extends Record<string, unknown>>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}
