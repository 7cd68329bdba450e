import type { Hook } from "../../src/contract/documents/hook.ts";
import type { HookDesk } from "../../src/server/handlers/hook-handlers.ts";

const HOOK: Hook = {
  name: "no-push",
  event: "PreToolUse",
  source: "config",
  command: ["./no-push.sh"],
  matcher: "exec",
  timeoutSeconds: 30,
  onError: "refuse",
  enabled: true,
  last30Days: { allowed: 3, refused: 1, failed: 0 },
};

export function fakeHooks(): HookDesk {
  return {
    list: () => [HOOK],
    get: () => ({ hook: HOOK, recent: [] }),
    enable: async (_, enabled) => ({ ...HOOK, enabled }),
    test: async () => ({ outcome: "allowed", text: "", ms: 3, input: {} }),
    accept: async () => HOOK,
  };
}
