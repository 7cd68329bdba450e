import { HallError } from "../../contract/errors.ts";
import { withSummary } from "./memory-text.ts";

/** Where a memory lies: in a project's folder, and in the workspace that of the main agent. */
export const MEMORY_FOLDER = "memory";
export const MOST_FACT_BYTES = 15 * 1024;
const MOST_EPISODE_BYTES = 512 * 1024;
const MOST_FACTS = 500;
/** All of it goes into every prompt of the main agent. */
const MOST_OVERVIEW_BYTES = 12 * 1024;

const NOTES = "project.";
const FACT = /^facts\/[a-z0-9][a-z0-9._-]{0,79}\.md$/;
const EPISODE = /^episodes\/\d{4}-(?:0[1-9]|1[0-2])\.md$/;
const DAY = /^daily\/\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\.md$/;

export function isFact(path: string): boolean {
  return FACT.test(path);
}

export function isEpisode(path: string): boolean {
  return EPISODE.test(path);
}

/** What holds for all projects: the main agent's, at the top of the workspace. */
export function isOverview(path: string): boolean {
  return path === "MEMORY.md";
}

/** The notes of one day: the main agent's, in the workspace. */
export function isDay(path: string): boolean {
  return DAY.test(path);
}

/** Where the main agent keeps what a project told it. The path says whose words they are; no other file does. */
export function notesPath(projectId: string): string {
  return `facts/${NOTES}${projectId}.md`;
}

/** The project whose words a file of the main agent's memory holds; undefined for its own. */
export function projectOfNotes(path: string): string | undefined {
  return isFact(path) && path.startsWith(`facts/${NOTES}`) ? path.slice(`facts/${NOTES}`.length, -3) : undefined;
}

/** A path within a memory; `memory/` may stand before it or not. */
export function memoryPath(given: string): string {
  const path = given.replace(/^(?:\.\/)?(?:memory\/)?/, "");
  if (isFact(path) || isEpisode(path)) return path;
  throw new HallError("path_refused", `The path ${JSON.stringify(given.slice(0, 100))} is not a memory file.`, {
    hint: "Use facts/<name>.md in lowercase, or episodes/YYYY-MM.md.",
  });
}

/** The text as it is kept; refused when it is too large. */
export function keptText(path: string, given: string): string {
  const text = isFact(path) ? withSummary(given) : given;
  const most = isFact(path) ? MOST_FACT_BYTES : isOverview(path) ? MOST_OVERVIEW_BYTES : MOST_EPISODE_BYTES;
  if (Buffer.byteLength(text) <= most) return text;
  throw new HallError("too_large", `'${path}' would be larger than ${most / 1024} KB.`, {
    hint: "Make it shorter, or use another file.",
  });
}

/** `count`: how many facts there are already. */
export function assertRoomForFact(count: number): void {
  if (count >= MOST_FACTS)
    throw new HallError("invalid", `There are ${MOST_FACTS} facts, which is the limit. Extend an existing one.`);
}
