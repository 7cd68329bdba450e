import type { Asker } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Clock } from "../../store/ids.ts";
import { type AskedAt, CAP_WINDOW_MS, capReached, MOST_QUESTIONS } from "../rules/question-cap.ts";

type Next = Omit<AskedAt, "at"> & Pick<Asker, "kind">;

/** Keeps agents from flooding the queue. What is over the cap is refused with words, and reported once while it lasts. */
export class QuestionCap {
  readonly #clock: Clock;
  #asked: AskedAt[] = [];
  readonly #refused = new Map<string, { projectId: string | undefined; at: number; count: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws when there were too many. */
  take({ kind, ...next }: Next): void {
    if (kind === "person") return;
    const now = this.#clock().getTime();
    this.#asked = this.#asked.filter(({ at }) => now - at < CAP_WINDOW_MS);
    const reached = capReached(this.#asked, next, now);
    if (reached === undefined) {
      this.#asked.push({ ...next, at: now });
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
