import { z } from "zod";
import { Hook, HookDetail } from "../../documents/hook.ts";
import { success } from "../route-parts.ts";

const group = "Hooks";
const params = z.strictObject({ name: z.string().max(200) });
const one = z.strictObject({ ...success, hook: Hook });

export const hookRoutes = {
  listHooks: {
    summary: "Hooks of every source, in the order in which they run.",
    group,
    response: z.strictObject({ hooks: z.array(Hook) }),
  },
  getHook: {
    summary: "A hook and the last times it ran.",
    group,
    params,
    response: HookDetail,
  },
  updateHook: {
    summary: "Enable or disable a hook. Applies at once, also to running agents.",
    group,
    params,
    body: z.strictObject({ enabled: z.boolean() }),
    response: one,
  },
  testHook: {
    summary: "Run a hook once on an input, or on its sample, or on an example for its event. Counts nowhere.",
    group,
    params,
    body: z.strictObject({ input: z.record(z.string(), z.unknown()).optional() }),
    response: z.strictObject({
      ...success,
      outcome: z.enum(["allowed", "refused", "failed"]),
      text: z.string(),
      ms: z.number(),
      /** What it was run on. */
      input: z.record(z.string(), z.unknown()),
    }),
  },
  acceptHook: {
    summary: "Accept the content of a repository's hook, so that it is run. The hash is of the content that you saw.",
    group,
    params,
    body: z.strictObject({ hash: z.string().min(1).max(200) }),
    response: one,
  },
} as const;
