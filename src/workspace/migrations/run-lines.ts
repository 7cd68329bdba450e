import { bookPath, PROJECTS_FOLDER, projectRoot } from "../layout.ts";
import { type MigrationParts, type MigrationStep, type OldLine, rewriteLines } from "./step.ts";

const FORMAT = 2;
/** How lines that have a format end. */
const NUMBERED = `"format":${FORMAT}}`;
const DAY = /^\d{4}-\d\d-\d\d$/;

type RewriteParts = Pick<MigrationParts, "files" | "copies">;

/** Changes to the run that a line of a book holds; each answers undefined where it has nothing to change. */
const RUN_CHANGES: readonly ((run: OldLine) => OldLine | undefined)[] = [
  withPurpose,
  withoutActivityText,
  withDelivery,
];

/** Brings the lines of run books, and the plans in journals, to format 2. */
export const migrateRunLines: MigrationStep = async (parts) => {
  const { files } = parts;
  for (const project of files.folders(PROJECTS_FOLDER)) {
    const book = bookPath(project);
    if (files.exists(book)) await rewriteLines(parts, book, changedBookLine);
    await migrateJournals(parts, project);
  }
};

export async function migrateJournals(parts: RewriteParts, project: string): Promise<void> {
  const { files } = parts;
  const runs = `${projectRoot(project)}/runs`;
  for (const day of files.exists(runs) ? files.folders(runs).filter((name) => DAY.test(name)) : [])
    for (const name of files.names(`${runs}/${day}`).filter((name) => name.endsWith(".jsonl")))
      if (lacksPurpose(parts, `${runs}/${day}/${name}`))
        await rewriteLines(parts, `${runs}/${day}/${name}`, changedPlan);
}

/** Whether a line of a book has the shape of format 1. */
export function isOldBookLine(text: string): boolean {
  return !text.endsWith(NUMBERED) && changedBookLine(parsed(text)) !== undefined;
}

/** A line of format 1 as it is in format 2; undefined when it is the same, or has a format already. */
export function changedBookLine(line: OldLine): OldLine | undefined {
  const { run, format } = line;
  if (format !== undefined) return undefined;
  if (!isObject(run)) {
    const next = withDelivery(line);
    return next && { ...next, format: FORMAT };
  }
  const next = RUN_CHANGES.reduce((changed, change) => change(changed) ?? changed, run);
  return next === run ? undefined : { ...line, run: next, format: FORMAT };
}

/** Plans stand in the first line, and most journals are not to be changed. */
function lacksPurpose({ files }: RewriteParts, journal: string): boolean {
  let isOld = false;
  files.scanLog(journal, 0, (text) => {
    isOld = text.startsWith('{"type":"plan"') && changedPlan(parsed(text)) !== undefined;
    return false;
  });
  return isOld;
}

function changedPlan(line: OldLine): OldLine | undefined {
  if (line.type !== "plan" || !isObject(line.plan)) return undefined;
  const plan = withPurpose(line.plan);
  return plan && { ...line, plan, format: FORMAT };
}

/** Before runs had a purpose, a review was an `opinion`. */
function withPurpose({ opinion, ...written }: OldLine): OldLine | undefined {
  if (written.purpose !== undefined) return undefined;
  if (!isObject(opinion)) return { ...written, purpose: "work" };
  return { ...written, purpose: "review", ...(opinion.of === undefined ? {} : { reviewOf: opinion.of }) };
}

/** What a run changed was told in `branch` or in `changes`; what is delivered now was `merged` there, or `applied`. */
function withDelivery({ branch, changes, ...written }: OldLine): OldLine | undefined {
  const known = branch ?? changes;
  if (!isObject(known)) return undefined;
  const state = known.state === "merged" || known.state === "applied" ? "delivered" : known.state;
  return { ...written, delivery: { kind: branch === undefined ? "folder" : "branch", ...known, state } };
}

/** What an agent was doing was a sentence once; nothing of it can be known of a run that is over. */
function withoutActivityText({ activity, ...written }: OldLine): OldLine | undefined {
  return typeof activity === "string" ? written : undefined;
}

function parsed(text: string): OldLine {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is OldLine {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
