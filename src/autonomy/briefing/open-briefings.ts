import type { Config } from "../../contract/documents/config.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { EscalationQuery } from "../../contract/routes/people/escalation-routes.ts";
import type { ShownGrant } from "../../contract/routes/people/grant-routes.ts";
import type { ModelGate } from "../../models/gate.ts";
import type { Models } from "../../models/open-models.ts";
import type { Core } from "../../workspace/core.ts";
import { type OpenSubscription, subscribe } from "../../workspace/events/event-subscriber.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { Briefings } from "./briefings.ts";
import type { SkippedSlot } from "./still-true.ts";
import { summarize } from "./summary.ts";

export interface BriefingsOptions {
  core: Core;
  hall: Hall;
  config: Config;
  models: Pick<Models, "settle" | "defaultModel">;
  gate: Pick<ModelGate, "ask">;
  people: {
    desk: { list(query: EscalationQuery): Promise<{ escalations: Escalation[] }> };
    grants: { list(query: { project?: string | undefined }): Promise<ShownGrant[]> };
  };
  teams: { get(id: string): { name: string } };
  /** Says something in the person's chats. The same id again says it once. */
  channels: { tell(message: { id: string; text: string; escalations: string[] }): Promise<void> };
  /** Times at which triggers should have fired and did not. */
  skipped: (period: { from: Date; until: Date }) => SkippedSlot[];
  onTrouble: (what: string, error: unknown) => void;
}

const MOST_PENDING = 10_000;

/** Wires briefings. Nothing is sent before `start`. */
export function openBriefings(options: BriefingsOptions) {
  const { core, hall, config, models, gate, people, teams, channels, onTrouble } = options;
  const briefings = new Briefings({
    ...{ core, hall, onTrouble, skipped: options.skipped },
    settings: () => config.briefing,
    pending: async () => (await people.desk.list({ status: "pending", limit: MOST_PENDING })).escalations,
    grants: () => people.grants.list({}),
    teamName: (id) => {
      try {
        return teams.get(id).name;
      } catch {
        // It left with its project.
        return undefined;
      }
    },
    summarize: async (briefing) => {
      await models.settle();
      return summarize(gate, config.main.model ?? models.defaultModel(), briefing);
    },
  });
  let chats: OpenSubscription | undefined;
  let unsubscribe: () => void = () => undefined;
  return {
    desk: briefings,
    problems: () => [...briefings.problems(), ...(chats?.problems() ?? [])],
    start: async (url: string) => {
      chats = await subscribe({
        core,
        name: "briefing",
        words: { title: "Briefings in chats", item: "briefing" },
        wants: ({ type }) => type === "briefing.created",
        keyOf: () => "briefing",
        handle: async (event) => {
          await channels.tell(messageOf(event));
          return { kind: "done" };
        },
        random: Math.random,
        onTrouble,
      });
      unsubscribe = core.events.subscribe((event) => briefings.heed(event));
      briefings.start(config.server.publicUrl ?? url);
    },
    close: async () => {
      unsubscribe();
      await briefings.close();
      await chats?.close();
    },
  };
}

function messageOf({ subject, after = {} }: HallEvent): { id: string; text: string; escalations: string[] } {
  const { text, escalations } = after;
  const ids = Array.isArray(escalations) ? escalations.filter((id) => typeof id === "string") : [];
  return { id: `briefing-${subject.id}`, text: String(text ?? ""), escalations: ids };
}
