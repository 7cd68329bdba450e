import type { Config } from "../../contract/documents/config.ts";
import { ESCALATION_ID, type Escalation, type Resolve } from "../../contract/documents/escalation.ts";
import type { EventType, HallEvent } from "../../contract/event.ts";
import type { AnswerDesk } from "../../projects/questions.ts";
import type { Attachment } from "../../workspace/attachments.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { answerDesk } from "./answer-desk.ts";
import { Reach } from "./reach.ts";
import { ReachState } from "./reach-state.ts";
import { reminded, toldOf } from "./told.ts";

export interface ReachOptions {
  core: Core;
  hall: Pick<Hall, "escalations">;
  config: Config;
  desk: {
    get(id: string): Promise<Escalation>;
    resolve(id: string, body: Resolve, change: Change): Promise<Escalation>;
    snooze(id: string, until: string | null, change: Change): Promise<Escalation>;
  };
  queue: {
    list: {
      /** All that wait for the person. */
      pending(more: { snoozed?: boolean }): Promise<Escalation[]>;
      /** Those of them that have a document. */
      questions(): Escalation[];
    };
    derived: { reminded(id: string, at: Date): Promise<void> };
  };
  /** The stated default takes effect. */
  expire: (id: string) => Promise<unknown>;
  channels: {
    answers: Pick<Attachment<AnswerDesk>, "attach">;
    notifies(): boolean;
    tell(message: { id: string; text: string; escalations: string[] }): Promise<void>;
    refresh(): void;
  };
  onTrouble: (what: string, error: unknown) => void;
}

/** Events that open and close nothing. */
const OF_NO_CONCERN: ReadonlySet<EventType> = new Set([
  "checkpoint.created",
  "escalation.delivered",
  "escalation.reminded",
  "memory.reflected",
  "notification.delivered",
  "notification.failed",
  "run.notified",
]);

/** How what waits for the person reaches them, and how they answer from where they are. */
export function openReach(options: ReachOptions) {
  const { core, config, channels, queue, onTrouble } = options;
  const pending = () => queue.list.pending({ snoozed: true });
  const { publicUrl } = config.server;
  let own = "http://127.0.0.1";
  const page = (id: string) => new URL(`/inbox?id=${encodeURIComponent(id)}`, publicUrl ?? own).href;
  const link = (id: string) => (publicUrl === undefined ? undefined : page(id));
  const questions = answerDesk({ desk: options.desk, pending, link, clock: core.clock });
  const reach = new Reach({
    clock: core.clock,
    state: new ReachState(core.files),
    settings: () => config.escalations,
    notifies: () => channels.notifies() || config.notify.url !== undefined,
    pending: async (which) => (which === "all" ? pending() : queue.list.questions()),
    tell: (message) => channels.tell(message),
    remind: (id, at, told) => remind(options, { id, at, told: told && toldOf(told, page) }),
    expire: async (id) => void (await options.expire(id)),
    refresh: () => channels.refresh(),
    onTrouble,
  });
  channels.answers.attach(questions);
  const unsubscribe = core.events.subscribe(({ type }: HallEvent) => {
    if (!OF_NO_CONCERN.has(type)) reach.hear();
  });
  return {
    questions,
    /** `url`: where this daemon listens. */
    start: (url: string) => {
      own = url;
      reach.hear();
    },
    close: () => {
      unsubscribe();
      return reach.close();
    },
  };
}

async function remind(
  { core, hall, queue }: ReachOptions,
  { id, at, told }: { id: string; at: string; told: object | undefined },
): Promise<boolean> {
  const after = told === undefined ? {} : { told };
  if (ESCALATION_ID.test(id)) {
    const what = { type: "escalation.reminded" as const, after };
    const { remindedAt } = await hall.escalations.change(id, (now) => reminded(now, at), what, { actor: BY_DAEMON });
    return remindedAt === at;
  }
  const subject = { kind: "escalation" as const, id };
  if (told !== undefined) await core.events.append({ type: "escalation.reminded", actor: BY_DAEMON, subject, after });
  await queue.derived.reminded(id, new Date(at));
  return true;
}
