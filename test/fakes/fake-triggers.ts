import type { Firing, Trigger } from "../../src/contract/documents/autonomy/trigger.ts";
import type { AppOptions } from "../../src/server/app.ts";

const AT = "2026-11-15T12:00:00.000Z";
const sampleFiring: Firing = { id: "firing-1", at: AT, cause: "asked", state: "running" };
const sampleTrigger: Trigger = {
  name: "morning",
  file: "triggers/morning.md",
  etag: "1",
  on: { cron: "0 7 * * *" },
  do: { message: "Sort the board." },
  late: { policy: "once", within: "1d" },
  enabled: true,
  words: "",
  state: "active",
  why: "It waits for something to happen.",
  waiting: 0,
};

export function fakeTriggers(): Pick<AppOptions, "triggers" | "webhooks"> {
  return {
    triggers: {
      list: () => [sampleTrigger],
      get: () => sampleTrigger,
      create: async () => sampleTrigger,
      update: async () => sampleTrigger,
      remove: async () => undefined,
      pause: async () => sampleTrigger,
      resume: async () => sampleTrigger,
      run: async () => sampleFiring,
      test: () => ({ starts: "cron 0 7 * * * → message", prompt: "Sort the board.", outside: false }),
      historyOf: () => ({ firings: [sampleFiring], skipped: [] }),
    },
    webhooks: {
      assertWaiting: () => undefined,
      receive: async () => ({ status: 202, is: "accepted" }),
    },
  };
}
