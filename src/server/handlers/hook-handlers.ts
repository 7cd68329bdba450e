import type { Hook, HookDetail } from "../../contract/documents/hook.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of hooks. */
export interface HookDesk {
  list(): Hook[];
  get(name: string): HookDetail;
  enable(name: string, enabled: boolean, change: Change): Promise<Hook>;
  test(name: string, input: Record<string, unknown> | undefined): Promise<Omit<RouteResponse<"testHook">, "success">>;
  accept(name: string, hash: string, change: Change): Promise<Hook>;
}

const success = true as const;

type HookEndpoint = "listHooks" | "getHook" | "updateHook" | "testHook" | "acceptHook";

export const hookHandlers = (hooks: HookDesk): HandlersOf<HookEndpoint> => ({
  listHooks: () => ({ hooks: hooks.list() }),
  getHook: ({ params }) => hooks.get(params.name),
  updateHook: async ({ params, body, change }) => ({
    success,
    hook: await hooks.enable(params.name, body.enabled, change),
  }),
  testHook: async ({ params, body }) => ({ success, ...(await hooks.test(params.name, body.input)) }),
  acceptHook: async ({ params, body, change }) => ({
    success,
    hook: await hooks.accept(params.name, body.hash, change),
  }),
});
