import type { z } from "zod";
import { type GateFinding, type GateLine, GateReport } from "../../contract/documents/quality/gate.ts";
import { IntegrationCheck } from "../../contract/documents/quality/integration-check.ts";
import { plainWords } from "../../contract/words/issue-words.ts";
import type { GateRecord } from "../../store/index/gate-table.ts";
import { formatIn, pageText } from "../../store/logs/durable-document.ts";
import { isNewer, newerWords } from "../../store/logs/durable-line.ts";
import { decodeText } from "../../store/markup/frontmatter.ts";
import { parseJsonText } from "../../store/markup/json-text.ts";
import { describeIssue } from "../hall/issues.ts";
import { idOfGateFile } from "../layout.ts";

/** A report of either kind, as its file has it. */
export type GateDocument =
  | { kind: "gate"; report: GateReport; record: GateRecord }
  | { kind: "check"; check: IntegrationCheck; record: GateRecord };

export type GateReading = ({ ok: true } & GateDocument) | { ok: false; line: number; reason: string };

/** Larger ones are not read; the hall cuts what it writes far below. */
const MOST_BYTES = 32_000_000;
/** Longest text of a report that is searched. */
const SEARCHED = 100_000;

/** Reads the file of a gate report or an integration check: whatever it has, a whole one or its first fault. */
export function readGate(bytes: Buffer, place: { path: string; projectId: string; name: string }): GateReading {
  const named = idOfGateFile(place.name);
  if (named === undefined) return invalid(1, "the file's name must be a gate id, like gate-1.json");
  if (bytes.length > MOST_BYTES) return invalid(1, `the file is larger than ${MOST_BYTES / 1_000_000} MB`);
  const text = decodeText(bytes);
  if (text === undefined) return invalid(1, "the file is not UTF-8 text");
  const outcome = parseJsonText(text);
  if (!outcome.ok) return outcome;
  const { format, document: value } = formatIn(outcome.value);
  if (isNewer(format)) return invalid(outcome.lineOf("format"), `the file ${newerWords(format)}`);
  const fail = (error: z.ZodError) => {
    const { path, reason } = describeIssue(error, outcome.value);
    return invalid(outcome.lineOf(path.join("/")), reason);
  };
  const about = { path: place.path, projectId: place.projectId };
  if (named.kind === "gate") {
    const parsed = GateReport.safeParse(value, { error: plainWords });
    if (!parsed.success) return fail(parsed.error);
    const report = { ...parsed.data, projectId: place.projectId };
    return report.id === named.id
      ? { ok: true, kind: "gate", report, record: recordOfGate(report, about) }
      : invalid(outcome.lineOf("id"), `id: '${report.id}' does not match the file name '${place.name}'`);
  }
  const parsed = IntegrationCheck.safeParse(value, { error: plainWords });
  if (!parsed.success) return fail(parsed.error);
  const check = { ...parsed.data, projectId: place.projectId };
  return check.id === named.id
    ? { ok: true, kind: "check", check, record: recordOfCheck(check, about) }
    : invalid(outcome.lineOf("id"), `id: '${check.id}' does not match the file name '${place.name}'`);
}

export function renderGate(document: GateReport | IntegrationCheck): string {
  return pageText(document);
}

/** What the index keeps of a report: enough for lists and figures. */
export interface GateSummary {
  line: GateLine;
  /** The state of each finding, by its id. */
  findings: Record<string, GateFinding["state"]>;
}

/** A report as lists show it. */
export function gateLineOf({ stages, cut: _, key: __, ...rest }: GateReport): GateLine {
  return {
    ...rest,
    stages: stages.map(({ name, verdict, score }) =>
      verdict === undefined ? { name, score } : { name, verdict, score },
    ),
    blocking: stages.flatMap(({ findings }) => findings).filter(({ blocks }) => blocks).length,
  };
}

function recordOfGate(report: GateReport, about: Pick<GateRecord, "path" | "projectId">): GateRecord {
  const { id, runId, taskId, state, verdict, key, title, startedAt, endedAt = startedAt } = report;
  const words = report.stages.flatMap((stage) => [
    ...(stage.reason === undefined ? [] : [stage.reason.text]),
    ...stage.findings.flatMap(({ message, file, fix }) => [message, file ?? "", fix ?? ""]),
  ]);
  return {
    ...about,
    ...{ id, kind: "gate", runId, taskId, state, verdict, key, title, at: endedAt },
    words: searched([id, taskId, runId, report.reason?.text, ...words]),
    summary: JSON.stringify(summaryOf(report)),
  };
}

function recordOfCheck(check: IntegrationCheck, about: Pick<GateRecord, "path" | "projectId">): GateRecord {
  const { id, state, verdict, branch, runIds, startedAt, endedAt = startedAt } = check;
  const words = check.steps.flatMap(({ findings }) => findings.flatMap(({ message, file }) => [message, file ?? ""]));
  return {
    ...about,
    ...{ id, kind: "check", state, verdict, at: endedAt },
    title: `Integration check of ${branch ?? `${runIds.length} runs`}`,
    words: searched([id, ...runIds, ...words]),
    summary: JSON.stringify(check),
  };
}

function summaryOf(report: GateReport): GateSummary {
  const found = report.stages.flatMap(({ findings }) => findings);
  return { line: gateLineOf(report), findings: Object.fromEntries(found.map(({ id, state }) => [id, state])) };
}

function searched(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined && text !== "")
    .join("\n")
    .slice(0, SEARCHED);
}

function invalid(line: number, reason: string): GateReading {
  return { ok: false, line, reason };
}
