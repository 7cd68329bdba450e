import { readAll } from "../../agent/tools/review-tool.ts";
import type { GateEvidence, GateReason } from "../../contract/documents/quality/gate.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { REVIEWED_STAGES, type ReviewedStage } from "../../contract/words/gate-words.ts";
import type { GateSubject, Judges, StageOutcome } from "../gates/subject.ts";
import { unchangedBetween } from "../gates/waivers.ts";
import { type DiffParts, diffParts } from "./diff-parts.ts";
import { changedLines, FindingPlaces } from "./finding-places.ts";
import type { ModelTalks } from "./model-talk.ts";
import { isDiffCut, reviewPart } from "./prompts.ts";
import type { Reading } from "./readings.ts";
import type { ReviewModels } from "./review-models.ts";
import { type Reviewer, taskOf } from "./reviewers.ts";
import { lookAgain } from "./second-look.ts";
import {
  answered,
  found,
  isOpen,
  type Judged,
  joined,
  knownFindings,
  notIntegrated,
  stageVerdict,
  withBlocks,
  withoutRepeats,
} from "./stage-findings.ts";

const LONGEST_ANSWER = 4_000;

export interface ReviewParts {
  reviewer: Reviewer;
  talks: Pick<ModelTalks, "ask">;
  modelsFor: (subject: GateSubject & { projectId: string }) => ReviewModels;
  /** Hides the secrets of a project. */
  redact: (projectId: string, text: string) => string;
}

type Outcomes = Record<ReviewedStage, StageOutcome>;
type Review = NonNullable<Judges["review"]>;
type Subject = GateSubject & { projectId: string };

interface Asked extends Pick<DiffParts, "leftOut"> {
  answer: ReturnType<typeof joined>;
  readings: Reading[];
  notes: string[];
  cut: string[];
}

interface SecondLook {
  judged: Judged[];
  /** What it was taken for, and what came of it. */
  looks: { purpose: "refute" | "dispute"; reading: Reading; refuted: number }[];
}

/** Stages 3 to 6: one reading of the change by a reviewer, then a second look at what would stop it. */
export function reviewJudge(parts: ReviewParts): Review {
  return async (subject) => {
    const { projectId } = subject;
    if (projectId === undefined)
      return everyStage({ verdict: "unable", score: null, reason: NO_PROJECT, findings: [], evidence: [] });
    return judge(parts, { ...subject, projectId });
  };
}

const NO_PROJECT: GateReason = { code: "no-model", text: "Reviews need a project, which pays for them." };

async function judge(parts: ReviewParts, subject: Subject): Promise<Outcomes> {
  const models = parts.modelsFor(subject);
  const known = knownFindings(subject.before);
  const { answer, readings, notes, cut, leftOut } = await review(parts, subject, { models, known });
  const { judged: all, dropped } = await findingsIn(subject, { answer, known });
  const { judged, looks } = await secondLook(parts, subject, { judged: all, models, runId: readings[0]?.runId });
  const redact = (text: string) => parts.redact(subject.projectId, text);
  const cost = [...readings, ...looks.map(({ reading }) => reading)].reduce((sum, { costUsd }) => sum + costUsd, 0);
  const share = REVIEWED_STAGES.length;
  const stageOf = (stage: ReviewedStage): StageOutcome => {
    const findings = judged
      .filter((one) => one.stage === stage)
      .map(({ finding }) => ({
        ...finding,
        message: redact(finding.message),
        ...(finding.fix === undefined ? {} : { fix: redact(finding.fix) }),
        ...(finding.replies === undefined
          ? {}
          : { replies: finding.replies.map(({ by, text }) => ({ by, text: redact(text) })) }),
      }));
    const refuted = findings.filter(({ state }) => state === "refuted").length;
    const evidence: GateEvidence[] = [
      ...readings.map((reading) => evidenceOf("review", reading, { dropped: dropped[stage], refuted })),
      ...looks.map((look) => evidenceOf(look.purpose, look.reading, { dropped: 0, refuted: look.refuted })),
      ...[...notes, ...cut].map((text) => ({ type: "note" as const, text })),
    ].map((entry) =>
      entry.type === "model" ? { ...entry, answer: redact(entry.answer), costUsd: entry.costUsd / share } : entry,
    );
    const given = answer.stages[stage];
    const isWhole = stage !== "completeness" || answer.integrated !== undefined;
    const common = { findings, evidence, cut, costUsd: cost / share };
    const reason = readings.find(({ unable }) => unable !== undefined)?.unable;
    if (given === undefined || !isWhole || reason !== undefined)
      return { ...common, verdict: "unable", score: null, reason: reason ?? unreadable(answer.problems) };
    const verdict = stageVerdict(given.score, findings);
    // Its findings had no place, or were refuted: nothing is left that its author could fix.
    if (verdict.verdict === "fail" && !findings.some(({ state }) => state === "open" || state === "disputed"))
      return { ...common, verdict: "unable", score: null, reason: unfounded(given.score) };
    if (leftOut.length > 0 && verdict.verdict === "pass")
      return { ...common, verdict: "unable", score: null, reason: tooLarge(leftOut.length) };
    return { ...common, ...verdict };
  };
  return Object.fromEntries(REVIEWED_STAGES.map((stage) => [stage, stageOf(stage)])) as Outcomes;
}

/** Has every share of the change read, one after the other. The first that can't be is the last. */
async function review(
  { reviewer }: ReviewParts,
  subject: Subject,
  { models, known }: { models: ReviewModels; known: readonly Judged[] },
): Promise<Asked> {
  const { trees, baseTree, tree, changes, run, spec } = subject;
  const { parts, leftOut } = diffParts(changes);
  const difference = await differenceOf(subject);
  const open = known.filter(isOpen).map(({ finding }) => finding);
  const partOf = (file: string | undefined) =>
    Math.max(
      0,
      parts.findIndex((some) => some.some(({ path }) => path === file)),
    );
  const readings: Reading[] = [];
  const answers: Asked["answer"][] = [];
  const notes: string[] = [`Model of the review: ${models.review.value} (${models.review.because}).`];
  const cut: string[] = [];
  if (parts.length > 1) notes.push(`The change was reviewed in ${parts.length} parts.`);
  for (const [at, files] of parts.entries()) {
    const diff = await trees.diff(baseTree, tree, parts.length === 1 ? undefined : files.map(({ path }) => path));
    if (isDiffCut(diff)) cut.push(`The diff of part ${at + 1} was cut; the reviewer could read the files.`);
    const earlier = open.filter(({ file }) => partOf(file) === at);
    const ids = earlier.map(({ id }) => id);
    const part = reviewPart({
      ...{ changes: files, diff, part: at + 1, of: parts.length, earlier, spec, difference },
      said: run?.result?.output,
    });
    const reading = await reviewer({ subject, model: models.review.value, part, number: at + 1, earlier: ids });
    readings.push(reading);
    answers.push(readAll(reading.values, ids));
    if (reading.unable !== undefined) break;
  }
  if (leftOut.length > 0) cut.push(`${tooLarge(leftOut.length).text} ${pathsOf(leftOut)}`);
  const answer = joined(answers);
  const more = REVIEWED_STAGES.reduce((sum, stage) => sum + (answer.stages[stage]?.leftOut ?? 0), 0);
  if (more > 0) cut.push(`${more} findings beyond the first 100 of a stage were left out.`);
  return { answer, readings, notes, cut, leftOut };
}

const MOST_PATHS = 20;

function pathsOf(changes: DiffParts["leftOut"]): string {
  const paths = changes.slice(0, MOST_PATHS).map(({ path }) => path);
  return `${paths.join(", ")}${changes.length > MOST_PATHS ? `, and ${changes.length - MOST_PATHS} more` : ""}.`;
}

/** What changed since the tree that was judged before. */
async function differenceOf({ trees, tree, before, cycle }: Subject): Promise<string | undefined> {
  return cycle === 1 || before === undefined ? undefined : trees.diff(before.tree, tree);
}

/** Earlier findings as they stand now, and new ones that have a place. */
async function findingsIn(subject: Subject, { answer, known }: { answer: Asked["answer"]; known: readonly Judged[] }) {
  const places = new FindingPlaces({ ...subject, base: subject.baseTree });
  const dropped = Object.fromEntries(REVIEWED_STAGES.map((stage) => [stage, 0])) as Record<ReviewedStage, number>;
  const disputes = new Map(
    (subject.run?.result?.answers ?? []).filter((one) => one.disputed === true).map((one) => [one.comment, one.answer]),
  );
  const earlier = known.filter(isOpen).map((judged) => {
    const { id } = judged.finding;
    const said = answer.earlier.find((one) => one.id === id);
    return answered(judged, said, disputes.get(id));
  });
  const isSame = unchangedBetween(subject.trees, subject.before?.tree ?? "", subject.tree);
  // What was decided about a finding counts again for the same content only.
  const decided = async (file?: string) => (known.length > 0 && (await isSame(file)) ? known : []);
  const fresh: Judged[] = [];
  for (const stage of REVIEWED_STAGES)
    for (const finding of answer.stages[stage]?.findings ?? []) {
      const placed = await places.placed(finding);
      if (placed === undefined) dropped[stage]++;
      else fresh.push(found(stage, placed, await decided(placed.file)));
    }
  if (answer.integrated === false) fresh.push(notIntegrated(await decided()));
  const concerns = await concernsOf(subject);
  const judged: Judged[] = [];
  for (const one of withoutRepeats([...earlier, ...fresh]))
    judged.push(withBlocks(one, { cycle: subject.cycle, concerns: await concerns(one) }));
  return { judged, dropped };
}

/** Whether a finding is about what changed since the tree that was judged before. */
async function concernsOf({ trees, tree, before, cycle }: Subject): Promise<(judged: Judged) => Promise<boolean>> {
  if (cycle === 1 || before === undefined) return async () => true;
  const changed = new Map(
    (await trees.changes(before.tree, tree)).map(({ path }) => [path, undefined as Set<number> | undefined]),
  );
  return async ({ finding: { file, line } }) => {
    if (file === undefined || !changed.has(file)) return false;
    if (line === undefined) return true;
    const lines = changed.get(file) ?? changedLines(await trees.diff(before.tree, tree, [file]));
    changed.set(file, lines);
    return lines.has(line);
  };
}

/** Findings that would stop the change are put to another reader, and those that the author disputes. */
async function secondLook(
  { talks }: ReviewParts,
  subject: Subject,
  { judged, models, runId }: { judged: Judged[]; models: ReviewModels; runId: string | undefined },
): Promise<SecondLook> {
  const { projectId, run, trees, tree, baseTree, signal } = subject;
  const look = {
    ...{ trees, tree, base: baseTree, task: taskOf(subject) },
    caller: { projectId, runId: runId ?? run?.id, model: models.second, signal },
  };
  const looks: SecondLook["looks"] = [];
  let now = judged;
  const take = async (purpose: "refute" | "dispute", chosen: readonly Judged[]) => {
    if (chosen.length === 0) return;
    const asked = chosen.map(({ finding }) => ({
      finding,
      ...(purpose === "dispute" ? { disputed: saidBy("author", finding) } : {}),
    }));
    const { verdicts, readings } = await lookAgain(talks, look, asked);
    const decided = new Map(chosen.map((one) => [one.finding.id, decidedOn(one, verdicts.get(one.finding.id))]));
    now = now.map((one) => decided.get(one.finding.id) ?? one);
    const refuted = [...decided.values()].filter(({ finding }) => finding.state === "refuted").length;
    looks.push(...readings.map((reading, at) => ({ purpose, reading, refuted: at === 0 ? refuted : 0 })));
  };
  await take(
    "refute",
    now.filter(({ isNew, finding }) => isNew && finding.blocks),
  );
  await take(
    "dispute",
    now.filter(({ finding }) => finding.state === "disputed"),
  );
  return { judged: now, looks };
}

/** Without a word about it, it stays as it is: open, or disputed. */
function decidedOn(judged: Judged, said: { verdict: "stands" | "refuted"; reason: string } | undefined): Judged {
  if (said === undefined) return judged;
  const { finding } = judged;
  const replies = [...(finding.replies ?? []), { by: "second reviewer", text: said.reason }];
  const decided = said.verdict === "stands" ? { state: "open" as const } : { state: "refuted" as const, blocks: false };
  return { ...judged, finding: { ...finding, ...decided, replies } };
}

function saidBy(author: string, { replies = [] }: Judged["finding"]): string {
  return replies.findLast(({ by }) => by === author)?.text ?? "";
}

function evidenceOf(purpose: string, reading: Reading, counts: { dropped: number; refuted: number }): GateEvidence {
  const { model, runId, costUsd, values, text } = reading;
  const said = values.length === 0 ? text : JSON.stringify(values.at(-1));
  return {
    type: "model",
    purpose,
    model,
    ...(runId === undefined ? {} : { runId }),
    costUsd,
    answer: cutText(said ?? "", LONGEST_ANSWER),
    ...counts,
  };
}

function unreadable(problems: readonly string[]): GateReason {
  const what = problems.length === 0 ? "a stage is missing" : cutText(problems.join("; "), 1_000);
  return { code: "unreadable-answer", text: `The review can't be read: ${what}.` };
}

function unfounded(score: number): GateReason {
  return { code: "unreadable-answer", text: `The review gives ${score} of 100, and no finding that says why holds.` };
}

function tooLarge(files: number): GateReason {
  const what = files === 1 ? "1 file was" : `${files} files were`;
  return { code: "no-review", text: `The change is too large: ${what} not reviewed. Split it.` };
}

function everyStage(outcome: StageOutcome): Outcomes {
  return Object.fromEntries(REVIEWED_STAGES.map((stage) => [stage, outcome])) as Outcomes;
}
