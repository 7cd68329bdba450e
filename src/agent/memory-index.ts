import { HallError } from "../contract/errors.ts";
import { cutText } from "../contract/words/cut-text.ts";
import { charactersIn } from "../contract/words/tokens.ts";
import type { Files } from "../store/files/files.ts";
import { MEMORY_FOLDER } from "../workspace/knowledge/memory-rules.ts";
import { MemoryFiles } from "./tools/memory-files.ts";

const LONGEST_SUMMARY = 240;
const MOST_MONTHS = 12;

/**
 * What a memory holds, for a prompt: each fact with its summary, newest first, and the months that have episodes; empty
 * when it holds nothing. What does not fit is counted. `folder`: where the memory lies in the files.
 */
export function memoryIndex(
  files: Files,
  budgetTokens: number,
  { folder = MEMORY_FOLDER, isListed = () => true }: { folder?: string; isListed?: (path: string) => boolean } = {},
): string {
  const of = new MemoryFiles(files, folder);
  const paths = pathsOf(of).filter(isListed);
  const facts = paths.filter((path) => path.startsWith("facts/"));
  const episodes = paths.filter((path) => path.startsWith("episodes/")).reverse();
  const age = (path: string) => files.stamp(`${folder}/${path}`)?.mtime ?? 0;
  const newest = facts.map((path) => ({ path, at: age(path) })).sort((a, b) => b.at - a.at);
  const told = monthsLine(episodes);
  let room = charactersIn(budgetTokens) - told.length - omittedLine(facts.length).length - 2;
  const lines: string[] = [];
  for (const { path } of newest) {
    const line = `- ${path}: ${cutText(of.summary(path), LONGEST_SUMMARY)}`;
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  const omitted = facts.length - lines.length;
  return [...lines, omitted === 0 ? "" : omittedLine(omitted), told].filter((line) => line !== "").join("\n");
}

/** Nothing, of a memory that lies behind a link. */
function pathsOf(of: MemoryFiles): string[] {
  try {
    return of.paths();
  } catch (error) {
    if (error instanceof HallError) return [];
    throw error;
  }
}

function omittedLine(count: number): string {
  return `(${count} ${count === 1 ? "fact is" : "facts are"} omitted; memory_list shows all)`;
}

function monthsLine(episodes: readonly string[]): string {
  if (episodes.length === 0) return "";
  const months = episodes.slice(0, MOST_MONTHS).map((path) => path.slice("episodes/".length, -".md".length));
  const more = episodes.length > MOST_MONTHS ? ` and ${episodes.length - MOST_MONTHS} earlier` : "";
  return `Episodes (episodes/YYYY-MM.md): ${months.join(", ")}${more}`;
}
