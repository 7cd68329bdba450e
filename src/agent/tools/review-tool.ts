import { z } from "zod";
import { EarlierFinding, type ReviewFinding, type RunReview } from "../../contract/runs/run-review.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { REVIEWED_STAGES, type ReviewedStage, STAGE_TABLE } from "../../contract/words/gate-words.ts";
import { FINDING_SEVERITIES } from "../../contract/words/review-words.ts";
import { SUBMIT_REVIEW } from "../../contract/words/tool-names.ts";
import { jsonSchemaOf, type Tool } from "../tool.ts";

const LONGEST = { message: 2_000, fix: 2_000, reason: 2_000, file: 1_000 };
/** What a stage needs to pass. */
export const PASSES_AT = 70;
/** Of one stage; the worst are kept. */
const MOST_FINDINGS = 100;
/** An answer with more than that is not looked through. */
const MOST_ENTRIES = 10_000;
const MOST_PROBLEMS = 20;

const Finding = z.strictObject({
  severity: z.enum(FINDING_SEVERITIES),
  file: z.string().describe("Relative to the root of the repository."),
  line: z.int().min(1).describe("In the file as it is now; of a deleted file, as it was."),
  message: z.string().describe("What happens, and how you know."),
  fix: z.string().optional().describe("How to fix it."),
});

/** What models are shown; `readReview` takes what they send. */
const SubmittedReview = z.strictObject({
  stages: z
    .array(
      z.strictObject({
        name: z.enum(REVIEWED_STAGES),
        score: z.number().min(0).max(100),
        findings: z.array(Finding).describe("Each problem once, worst first."),
      }),
    )
    .describe("Each stage once."),
  integrated: z.boolean().describe("Whether the new code is wired in: something that runs uses it."),
  earlier: z.array(EarlierFinding).optional().describe("One for each earlier finding, if there are any."),
});

export interface StageAnswer {
  score: number;
  findings: ReviewFinding[];
  /** Findings beyond the most that are kept. */
  leftOut: number;
}

/** What of a reviewer's answer can be used. */
export interface ReviewAnswer {
  stages: Partial<Record<ReviewedStage, StageAnswer>>;
  integrated?: boolean | undefined;
  earlier: EarlierFinding[];
  /** What is missing or can't be read; empty when the answer is complete. */
  problems: string[];
}

/** Reads whatever a model sent. A stage with anything unreadable in it is left out: half of its findings could be lost. */
export function readReview(value: unknown, earlier: readonly string[]): ReviewAnswer {
  if (!isRecord(value) || !Array.isArray(value.stages))
    return { stages: {}, earlier: [], problems: ["stages: is missing or not a list"] };
  const problems: string[] = [];
  const stages: ReviewAnswer["stages"] = {};
  const seen = new Set<unknown>();
  for (const [at, entry] of value.stages.slice(0, MOST_FINDINGS).entries()) {
    const name = isRecord(entry) ? REVIEWED_STAGES.find((stage) => stage === entry.name) : undefined;
    if (name === undefined || !isRecord(entry))
      problems.push(`stages.${at}.name: must be ${REVIEWED_STAGES.join(", ")}`);
    else if (seen.has(name)) {
      problems.push(`stages: ${name} is there twice`);
      delete stages[name];
    } else {
      seen.add(name);
      const read = readStage(entry);
      if (typeof read === "string") problems.push(`${name}.${read}`);
      // Nobody can fix what nobody names, here or among the earlier findings.
      else if (read.score < PASSES_AT && read.findings.length === 0 && earlier.length === 0)
        problems.push(`${name}.score: below ${PASSES_AT} needs a finding that says why`);
      else stages[name] = read;
    }
  }
  for (const name of REVIEWED_STAGES) if (!seen.has(name)) problems.push(`stages: ${name} is missing`);
  const integrated = typeof value.integrated === "boolean" ? value.integrated : undefined;
  if (integrated === undefined) problems.push("integrated: must be true or false");
  const answers = readEarlier(value.earlier, earlier);
  for (const id of earlier)
    if (!answers.some((answer) => answer.id === id)) problems.push(`earlier: ${id} has no answer`);
  return { stages, integrated, earlier: answers, problems: problems.slice(0, MOST_PROBLEMS) };
}

/** Whether every stage can be judged by it. */
export function isUsable({ stages, integrated }: ReviewAnswer): boolean {
  return integrated !== undefined && REVIEWED_STAGES.every((name) => stages[name] !== undefined);
}

/** What of all answers of one reviewer can be used, the newest first. */
export function readAll(values: readonly unknown[], earlier: readonly string[]): ReviewAnswer {
  if (values.length === 0) return { stages: {}, earlier: [], problems: ["no review was submitted"] };
  const answers = values.map((value) => readReview(value, earlier));
  const newest = answers.at(-1);
  if (newest === undefined || newest.problems.length === 0) return newest ?? readReview(undefined, earlier);
  const backwards = answers.toReversed();
  const stages = Object.fromEntries(
    REVIEWED_STAGES.flatMap((name) => {
      const stage = backwards.find((answer) => answer.stages[name] !== undefined)?.stages[name];
      return stage === undefined ? [] : [[name, stage]];
    }),
  );
  return {
    stages,
    integrated: backwards.find(({ integrated }) => integrated !== undefined)?.integrated,
    earlier: earlier.flatMap((id) =>
      backwards.flatMap((answer) => answer.earlier.filter((one) => one.id === id)).slice(0, 1),
    ),
    problems: newest.problems,
  };
}

/** The stage, or what is wrong with it. */
function readStage({ score, findings = [] }: Record<string, unknown>): StageAnswer | string {
  if (typeof score !== "number" || !(score >= 0 && score <= 100)) return "score: must be a number from 0 to 100";
  if (!Array.isArray(findings)) return "findings: must be a list";
  if (findings.length > MOST_ENTRIES) return `findings: has more than ${MOST_ENTRIES} entries`;
  const read: ReviewFinding[] = [];
  for (const [at, entry] of findings.entries()) {
    const finding = readFinding(entry);
    if (typeof finding === "string") return `findings.${at}.${finding}`;
    read.push(finding);
  }
  const kept = worstFirst(read).slice(0, MOST_FINDINGS);
  return { score, findings: kept, leftOut: read.length - kept.length };
}

function readFinding(entry: unknown): ReviewFinding | string {
  if (!isRecord(entry)) return "severity: is missing";
  const severity = FINDING_SEVERITIES.find((name) => name === entry.severity);
  if (severity === undefined) return `severity: must be ${FINDING_SEVERITIES.join(", ")}`;
  const message = textIn(entry.message, LONGEST.message);
  if (message === undefined) return "message: is missing";
  const fix = textIn(entry.fix, LONGEST.fix);
  const file = textIn(entry.file, LONGEST.file);
  const line = Number.isSafeInteger(entry.line) && Number(entry.line) > 0 ? Number(entry.line) : undefined;
  return {
    severity,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    message,
    ...(fix === undefined ? {} : { fix }),
  };
}

/** The first answer to each finding that was asked about; what can't be read is no answer. */
function readEarlier(value: unknown, ids: readonly string[]): EarlierFinding[] {
  const entries: unknown[] = Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : [];
  const answers = new Map<string, EarlierFinding>();
  for (const entry of entries) {
    const short = isRecord(entry) ? { ...entry, reason: textIn(entry.reason, LONGEST.reason) } : entry;
    const answer = EarlierFinding.safeParse(short).data;
    if (answer !== undefined && ids.includes(answer.id) && !answers.has(answer.id)) answers.set(answer.id, answer);
  }
  return [...answers.values()];
}

/** The input of a call as the model wrote it, which need not be JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Hands a review in. What can't be used is asked for once more; `earlier`: findings that need an answer. */
export function reviewTool(earlier: readonly string[]): Tool {
  let refused = 0;
  return {
    spec: {
      name: SUBMIT_REVIEW,
      description: "Submit your review: every stage with its score and findings. Call it once, at the end.",
      inputSchema: jsonSchemaOf(SubmittedReview),
    },
    changes: true,
    repeatable: true,
    run: async (text) => {
      const { problems } = readReview(jsonIn(text), earlier);
      if (problems.length === 0 && refused < 2) return { output: "Review saved. End your turn now." };
      refused++;
      const next = refused === 1 ? "Submit it again, complete." : "End your turn now.";
      return { output: `Review not saved: ${problems.join("; ")}. ${next}`, failed: true };
    },
  };
}

/** A review for a gate as any other review is shown. `asked`: findings of before; one without an answer is still there. */
export function asRunReview(
  { stages, integrated, earlier }: ReviewAnswer,
  asked: readonly string[],
): { summary: string; review: RunReview } {
  const given = REVIEWED_STAGES.flatMap((name) => (stages[name] === undefined ? [] : [{ name, ...stages[name] }]));
  const findings = worstFirst(given.flatMap((stage) => stage.findings)).slice(0, MOST_FINDINGS);
  const isOpen = (id: string) => (earlier.find((one) => one.id === id)?.status ?? "still") === "still";
  const isBad =
    integrated === false ||
    asked.some(isOpen) ||
    findings.some(({ severity }) => severity === "critical" || severity === "high");
  const scores = given.map(({ name, score }) => `- ${STAGE_TABLE[name].label}: ${score}`);
  return {
    summary: ["Scores for the quality gate:", ...scores].join("\n"),
    review: {
      verdict: isBad ? "request_changes" : "approve",
      findings,
      stages: given.map(({ name, score }) => ({ name, score })),
    },
  };
}

function worstFirst(findings: readonly ReviewFinding[]): ReviewFinding[] {
  const rank = ({ severity }: ReviewFinding) => FINDING_SEVERITIES.indexOf(severity);
  return [...findings].sort((left, right) => rank(left) - rank(right));
}

function textIn(value: unknown, longest: number): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : cutText(text, longest);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
