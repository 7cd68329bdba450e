import { EscalationFile, lacksAnswer } from "../../contract/documents/escalation.ts";
import type { EscalationStatus } from "../../contract/documents/escalation-status.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { editJsonMembers } from "../../store/markup/json-edit.ts";
import { parseJsonText } from "../../store/markup/json-text.ts";
import { describeIssue } from "../hall/issues.ts";
import { idOfEscalationFile } from "../layout.ts";
import { dropUndefined, etagOf } from "../tasks/task-file.ts";
import { settleStatus } from "./escalation-rules.ts";

export type EscalationReading =
  | {
      ok: true;
      record: EscalationRecord;
      text: string;
      /** What the file itself says, before folder and memory had their say. */
      status: EscalationStatus | undefined;
    }
  | { ok: false; line: number; reason: string };

interface EscalationPlace {
  folder: EscalationStatus;
  path: string;
  /** esc-001.json */
  name: string;
  /** When the file last changed, for a person who wrote no dates. */
  changedAt: string;
  /** The status that was last known. */
  known: EscalationStatus | undefined;
}

/** Files beyond this are no escalations; the largest that the hall writes is far below. */
const MOST_BYTES = 1_000_000;

/** Reads the file of an escalation: whatever it has, a whole escalation or the line and reason of the first fault. */
export function readEscalation(bytes: Buffer, place: EscalationPlace): EscalationReading {
  if (bytes.length > MOST_BYTES) return invalid(1, `the file is larger than ${MOST_BYTES / 1_000_000} MB`);
  const text = decodeText(bytes);
  if (text === undefined) return invalid(1, "the file is not UTF-8 text");
  const outcome = parseJsonText(text);
  if (!outcome.ok) return outcome;
  const parsed = EscalationFile.safeParse(outcome.value, { error: plainWords });
  if (!parsed.success) {
    const { path, reason } = describeIssue(parsed.error, outcome.value);
    return invalid(outcome.lineOf(path.join("/")), reason);
  }
  const file = parsed.data;
  const fault = faultOf(file, place.name);
  if (fault !== undefined) return invalid(outcome.lineOf(fault.key), `${fault.key}: ${fault.reason}`);
  const record = toRecord(file, place, etagOf(bytes));
  if (lacksAnswer(record))
    return invalid(
      outcome.lineOf(file.resolution === null ? "resolution" : "status"),
      "resolution: is required when the status is resolved; write the answer, or move the file back to pending",
    );
  return { ok: true, text, status: file.status, record };
}

function invalid(line: number, reason: string): EscalationReading {
  return { ok: false, line, reason };
}

function faultOf(file: EscalationFile, name: string): { key: string; reason: string } | undefined {
  if (file.id !== idOfEscalationFile(name))
    return { key: "id", reason: `'${file.id}' does not match the file name '${name}'` };
  const { projectId, space } = file;
  if (projectId && space && projectId !== space)
    return { key: "space", reason: `'${space}' does not match projectId '${projectId}'` };
  return undefined;
}

function toRecord(file: EscalationFile, place: EscalationPlace, etag: string): EscalationRecord {
  const createdAt = file.createdAt ?? place.changedAt;
  const { type, origin, question, context, suggestedAnswers, escalatedBy, escalationPath, history, askers } = file;
  const { priority, blocksTask, blocksInitiative, resolution, answer, resolvedBy, resolvedAt } = file;
  const { sources, replaces, reminders } = file;
  return dropUndefined({
    id: file.id,
    type,
    origin,
    projectId: file.projectId ?? file.space ?? undefined,
    initiative: file.initiative ?? undefined,
    question,
    context,
    suggestedAnswers,
    escalatedBy,
    escalationPath,
    history,
    askers,
    priority,
    blocksTask,
    blocksInitiative,
    createdAt,
    updatedAt: file.updatedAt ?? createdAt,
    status: settleStatus({ status: file.status, folder: place.folder }, place.known),
    outcome: file.outcome ?? undefined,
    resolution,
    answer,
    resolvedBy,
    resolvedAt,
    scope: file.scope ?? undefined,
    sources,
    replaces,
    statementId: file.statementId ?? undefined,
    ruleId: file.ruleId ?? undefined,
    permission: file.permission ?? undefined,
    review: file.review ?? undefined,
    team: file.team ?? undefined,
    snoozedUntil: file.snoozedUntil ?? undefined,
    remindedAt: file.remindedAt ?? undefined,
    reminders,
    expires: file.expires ?? undefined,
    path: place.path,
    etag,
  }) as EscalationRecord;
}

/** A new file, as people edit it. */
export function renderEscalation(record: EscalationRecord): string {
  return `${JSON.stringify(documentOf(record), null, 2)}\n`;
}

/** Writes the fields that differ into the file, and leaves every other byte as it is. */
export function editEscalation(text: string, before: EscalationRecord, after: EscalationRecord): string {
  const [old, next] = [documentOf(before), documentOf(after)];
  const keys = new Set([...Object.keys(old), ...Object.keys(next)]);
  const changed = [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(next[key]));
  const changes = { ...missingDate(text, after), ...Object.fromEntries(changed.map((key) => [key, next[key]])) };
  return Object.keys(changes).length === 0 ? text : editJsonMembers(text, changes);
}

/** A file without a date would be as young as its last change; from the first change on it has one. */
function missingDate(text: string, { createdAt }: EscalationRecord): { createdAt?: string } {
  const outcome = parseJsonText(text);
  const value = outcome.ok ? (outcome.value as { createdAt?: unknown }) : {};
  return value.createdAt === undefined ? { createdAt } : {};
}

/** What the file has, in our order. */
function documentOf({ path: _path, etag: _etag, ...fields }: EscalationRecord): Record<string, unknown> {
  return { ...fields };
}
