import type {
  Firing,
  Skipped,
  Trigger,
  TriggerCreate,
  TriggerUpdate,
} from "../../contract/documents/autonomy/trigger.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of triggers. */
export interface TriggerDesk {
  list(project?: string): Trigger[];
  get(name: string): Trigger;
  create(body: TriggerCreate, change: Change): Promise<Trigger>;
  update(name: string, body: TriggerUpdate, change: Change): Promise<Trigger>;
  remove(name: string, change: Change): Promise<void>;
  pause(name: string, change: Change): Promise<Trigger>;
  resume(name: string, change: Change): Promise<Trigger>;
  run(name: string, change: Change): Promise<Firing>;
  test(name: string): Omit<RouteResponse<"testTrigger">, "success">;
  historyOf(name: string, limit: number): { firings: Firing[]; skipped: Skipped[] };
}

const success = true as const;

type TriggerEndpoint =
  | "listTriggers"
  | "createTrigger"
  | "getTrigger"
  | "updateTrigger"
  | "removeTrigger"
  | "pauseTrigger"
  | "resumeTrigger"
  | "runTrigger"
  | "testTrigger"
  | "getTriggerHistory";

export const triggerHandlers = (triggers: TriggerDesk): HandlersOf<TriggerEndpoint> => ({
  listTriggers: ({ query }) => ({ triggers: triggers.list(query.project) }),
  createTrigger: async ({ body, change }) => ({ success, trigger: await triggers.create(body, change) }),
  getTrigger: ({ params }) => ({ trigger: triggers.get(params.name) }),
  updateTrigger: async ({ params, body, change }) => ({
    success,
    trigger: await triggers.update(params.name, body, change),
  }),
  removeTrigger: async ({ params, change }) => {
    await triggers.remove(params.name, change);
    return { success };
  },
  pauseTrigger: async ({ params, change }) => ({ success, trigger: await triggers.pause(params.name, change) }),
  resumeTrigger: async ({ params, change }) => ({ success, trigger: await triggers.resume(params.name, change) }),
  runTrigger: async ({ params, change }) => ({ success, firing: await triggers.run(params.name, change) }),
  testTrigger: ({ params }) => ({ success, ...triggers.test(params.name) }),
  getTriggerHistory: ({ params, query }) => triggers.historyOf(params.name, query.limit),
});
