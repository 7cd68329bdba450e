import type { BuiltInHook, Hooks } from "../hooks/hooks.ts";

/** Runs the built-in checks, and no others. */
export function builtInOnly(checks: readonly BuiltInHook[]): Hooks {
  return {
    toolsOf: () => [],
    has: () => false,
    isEnabled: () => true,
    run: async (input) => {
      const own = checks.filter(({ event }) => event === input.hook_event_name);
      const said = await Promise.all(own.map(async ({ name, check }) => ({ name, text: await check(input) })));
      const missing = said.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
      const traces = missing.map((each) => ({
        ...each,
        event: input.hook_event_name,
        outcome: "refused" as const,
        ms: 0,
      }));
      if (missing.length === 0) return { refused: false, traces };
      return { refused: true, feedback: missing.map(({ text }) => text).join("\n"), traces };
    },
  };
}
