import type { Asker } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../store/ids.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { type AskedAt, CAP_WINDOW_MS, capReached, MOST_QUESTIONS } from "../rules/question-cap.ts";

type Next = Omit<AskedAt, "at"> & Pick<Asker, "kind">;

/** Keeps agents from flooding the queue. What is over the cap is refused with words, and reported once while it lasts. */
export class QuestionCap {
  readonly #clock: Clock;
  readonly #recorded: () => readonly StoredEscalation[];
  /** Undefined until the first question: those of before a restart count, too. */
  #asked: AskedAt[] | undefined;
  readonly #refused = new Map<string, { projectId: string | undefined; at: number; count: number }>();

  /** `recorded`: open escalations, and those that were resolved last. */
  constructor(clock: Clock, recorded: () => readonly StoredEscalation[]) {
    this.#clock = clock;
    this.#recorded = recorded;
  }

  /** Throws when there were too many. */
  take({ kind, ...next }: Next): void {
    if (kind === "person") return;
    const now = this.#clock().getTime();
    const asked = (this.#asked ?? askedBefore(this.#recorded())).filter(({ at }) => now - at < CAP_WINDOW_MS);
    this.#asked = asked;
    const reached = capReached(asked, next, now);
    if (reached === undefined) {
      asked.push({ ...next, at: now });
      return;
    }
    const count = (this.#refused.get(next.by)?.count ?? 0) + 1;
    this.#refused.set(next.by, { projectId: next.projectId, at: now, count });
    const what = reached === "run" ? `You asked ${MOST_QUESTIONS.run}` : `This project asked ${MOST_QUESTIONS.project}`;
    throw new HallError("escalation_refused", `${what} questions within an hour, which is the limit.`, {
      hint: "Decide what you may decide yourself, and put the rest into your report.",
    });
  }

  problems(): Problem[] {
    const now = this.#clock().getTime();
    return [...this.#refused].flatMap(([by, { projectId, at, count }]): Problem[] => {
      if (now - at >= CAP_WINDOW_MS) return [];
      const reason = `${by} asks too many questions; ${count} ${count === 1 ? "was" : "were"} refused in the last hour`;
      const of = projectId === undefined ? {} : { projectId };
      return [{ file: "escalations", id: by, kind: "escalation", severity: "warning", reason, ...of }];
    });
  }
}

function askedBefore(escalations: readonly StoredEscalation[]): AskedAt[] {
  return escalations.flatMap(({ escalatedBy: by, projectId, createdAt, askers }) => {
    const kind = askers[0]?.kind ?? "person";
    return kind === "person" ? [] : [{ by, projectId, at: Date.parse(createdAt) }];
  });
}
