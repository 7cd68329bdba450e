/** Who pays for calls outside of projects; no project can have these ids. */
export const MAIN_PAYER = "@main";
export const TESTS_PAYER = "@tests";
export const ORCHESTRATOR_PAYER = "@orchestrator";

const PAYER_NAMES: Record<string, string> = {
  [MAIN_PAYER]: "main agent",
  [TESTS_PAYER]: "connection tests",
  [ORCHESTRATOR_PAYER]: "orchestrator",
};

/** Undefined for a project. */
export function payerName(projectId: string): string | undefined {
  return PAYER_NAMES[projectId];
}
