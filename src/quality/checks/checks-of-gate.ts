import type { Checked, LocalChecks } from "./local-checks.ts";

/**
 * The checks of one gate. What could not be carried out is not tried again by the next stage that asks for it: a command that
 * hangs would take its whole time limit again. The next gate tries it anew.
 */
export function checksOfGate(checks: LocalChecks): LocalChecks {
  const unable = new Map<string, Checked>();
  return {
    detect: (base, settings) => checks.detect(base, settings),
    toolchain: (base, settings) => checks.toolchain(base, settings),
    syntax: (order) => checks.syntax(order),
    isTest: (path) => checks.isTest(path),
    isCheckSetting: (path) => checks.isCheckSetting(path),
    tests: async (order) => {
      const { tree, base, scope, only, attempt } = order;
      const key = JSON.stringify([tree, base, scope, only, attempt]);
      const known = unable.get(key);
      if (known !== undefined) return known;
      const checked = await checks.tests(order);
      if (checked.verdict === "unable") unable.set(key, checked);
      return checked;
    },
  };
}
