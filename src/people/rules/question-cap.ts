/** Questions within an hour; more would bury the ones that matter. */
export const MOST_QUESTIONS = { run: 10, project: 30 } as const;
export const CAP_WINDOW_MS = 60 * 60 * 1_000;

export interface AskedAt {
  /** The run, the agent or the program that asked. */
  by: string;
  projectId: string | undefined;
  at: number;
}

/** Undefined: one more may be asked. */
export function capReached(
  asked: readonly AskedAt[],
  next: Omit<AskedAt, "at">,
  now: number,
): "run" | "project" | undefined {
  const recent = asked.filter(({ at }) => now - at < CAP_WINDOW_MS);
  if (recent.filter(({ by }) => by === next.by).length >= MOST_QUESTIONS.run) return "run";
  const ofProject = recent.filter(({ projectId }) => projectId === next.projectId);
  return ofProject.length >= MOST_QUESTIONS.project ? "project" : undefined;
}
