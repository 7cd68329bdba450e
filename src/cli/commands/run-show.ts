import { activityWithHint } from "../../contract/activity-words.ts";
import type { Run } from "../../contract/run.ts";
import { agentLines } from "../agent-words.ts";
import type { Action } from "../context.ts";
import { controlLines } from "../control-text.ts";
import { oneLine } from "../plain-text.ts";
import { reviewLines } from "../review-lines.ts";
import { runIdOf } from "../run-id.ts";
import { grouped, money, runStyles, runTime, standingText } from "../run-text.ts";
import { count, type Field, fieldLines, localTime, proseLines } from "../text-card.ts";
import type { TableSpace } from "../text-table.ts";

export const runShow: Action<"run show"> = async ({ run: given }, context) => {
  const { call, output, host } = context;
  const answer = await call("getRun", { params: { runId: await runIdOf(given, context) } });
  output.answer(answer, () => runCard(answer.run, { ...output, now: host.now() }));
  return 0;
};

export function runCard(run: Run, space: TableSpace & { now: number; calledAs: string }): string {
  const { paint } = space;
  const state = [
    paint(runStyles[run.status], run.status),
    ...(run.activity ? [oneLine(activityWithHint(run.activity, space.calledAs))] : []),
  ];
  return [
    `${paint("bold", run.id)}  ${paint("bold", oneLine(run.title))}`,
    state.join(" · "),
    "",
    ...fieldLines([...placeFields(run), ...timeFields(run, space.now), ...usageFields(run)], paint),
    ...controlPart(run, space),
    ...proseLines("Error", run.error, space),
    ...agentLines("Result", run.result?.output, space),
    ...reviewPart(run, space),
  ].join("\n");
}

function controlPart(run: Run, space: TableSpace): string[] {
  const { controlFiles = [], controlFileCount } = run.delivery ?? {};
  // After a revert they are gone.
  const isInFolder = run.delivery?.kind === "folder" && run.delivery.state !== "reverted";
  const lines = controlLines(controlFiles, space, { all: controlFileCount, isInFolder });
  return lines.length === 0 ? [] : ["", ...lines];
}

function reviewPart(run: Run, space: TableSpace): string[] {
  const lines = reviewLines(run, space);
  return lines.length === 0 ? [] : ["", ...lines];
}

function placeFields(run: Run): Field[] {
  return [
    ["task", `${run.projectId}/${run.taskId}`],
    ["role", run.roleId],
    ["model", run.model],
    ["sandbox", run.sandbox === "none" ? "unsandboxed: its commands have all the rights of the hall" : run.sandbox],
    ["parent", run.parentRunId],
    ["review of", run.purpose === "review" ? (run.reviewOf ?? "what is there") : undefined],
    ["outcome", run.result?.outcome],
    ["cause", run.cause],
    [run.delivery?.kind === "branch" ? "branch" : "changes", standingText(run)],
    ["files", run.result?.filesChanged.join(", ")],
    ["artifacts", run.result?.artifacts.join(", ")],
  ];
}

function timeFields(run: Run, now: number): Field[] {
  return [
    ["created", localTime(run.createdAt)],
    ["started", localTime(run.startedAt)],
    ["ended", localTime(run.endedAt)],
    ["took", runTime(run, now)],
    ["attempts", run.attempt > 1 ? `${run.attempt} (it was taken up again)` : undefined],
  ];
}

function usageFields({ usage, reflection }: Run): Field[] {
  const { turns, inputTokens, outputTokens, cacheReadTokens, costUsd, costKnown } = usage;
  const cached = cacheReadTokens === 0 ? "" : ` (${grouped(cacheReadTokens)} from the cache)`;
  return [
    ["turns", turns],
    ["tokens", `${grouped(inputTokens)} in${cached}, ${grouped(outputTokens)} out`],
    ["cost", `${money(costUsd, costKnown)}${costKnown ? "" : ", for a price is not known"}`],
    ["looked back", reflection && reflectionText(reflection)],
  ];
}

function reflectionText({ rounds, wrote, costUsd, costKnown, error }: NonNullable<Run["reflection"]>): string {
  const what = wrote.length === 0 ? "kept nothing" : `wrote ${wrote.join(", ")}`;
  const cost = `${count(rounds, "call")} for ${money(costUsd, costKnown)}, part of the cost`;
  return [what, cost, ...(error === undefined ? [] : [error])].join(" · ");
}
