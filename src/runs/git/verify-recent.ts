import type { Workplace } from "../../contract/runs/run.ts";
import type { Core } from "../../workspace/core.ts";
import type { Merging } from "./merging.ts";
import type { RepositoryHealth } from "./repository-health.ts";

/** What is looked at, so that a start takes about as long after years of work. */
const MOST_RUNS = 100;
const MOST_REPOSITORIES = 5;
const MOST_MERGES = 5;
/** Hand edits of the time in between are told of before the start itself. */
const EVENTS_BACK = 50;

interface Parts {
  core: Core;
  merging: Merging;
  health: Pick<RepositoryHealth, "examine">;
  placeOf: (runId: string) => Workplace | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

interface Recent {
  repository: string;
  target: string;
  merges: string[];
}

/**
 * After a start that no orderly stop came before, reads what the newest runs merged, in the repositories they merged it into.
 * What a power cut took is found before anything is built on it. To be called before any run goes on.
 */
export async function verifyRecent(parts: Parts): Promise<void> {
  if (wasStopped(parts.core)) return;
  for (const recent of recentOf(parts)) {
    const { repository } = recent;
    await parts.core.locks
      .run(`repository ${repository}`, () => verify(parts, recent))
      .catch((error) => parts.onTrouble(`the repository '${repository}' could not be checked`, error));
  }
}

async function verify({ merging, health, onTrouble }: Parts, { merges, ...order }: Recent): Promise<void> {
  if ((await health.examine({ ...order, merges })) !== undefined) return;
  const restored = await merging.restoreEmptied(order, merges);
  if (restored.length > 0) onTrouble(`empty files of '${order.repository}' were restored`, restored.join(", "));
}

/** Whether the daemon before this one came to its end. */
function wasStopped({ events }: Core): boolean {
  const before = events.tail({ count: EVENTS_BACK }).filter(isOfDaemon);
  return before.at(-2)?.type === "daemon.stopped" || before.length === 0;
}

/** A log that was tampered with may hold lines without a type. */
function isOfDaemon({ type }: { type?: unknown }): boolean {
  return typeof type === "string" && type.startsWith("daemon.");
}

function recentOf({ core, placeOf }: Parts): Recent[] {
  const found = new Map<string, Recent>();
  for (const { run } of core.runs.list({ limit: MOST_RUNS })) {
    const { delivery } = run;
    const place = delivery?.kind === "branch" ? placeOf(run.id) : undefined;
    if (place === undefined || delivery?.kind !== "branch") continue;
    const { repository, target } = place;
    const key = `${repository}\0${target}`;
    const known = found.get(key) ?? { repository, target, merges: [] };
    if (!found.has(key) && found.size >= MOST_REPOSITORIES) continue;
    found.set(key, known);
    const commits = [delivery.merge, delivery.revert].filter((commit) => commit !== undefined);
    if (known.merges.length < MOST_MERGES) known.merges.push(...commits);
  }
  return [...found.values()];
}
