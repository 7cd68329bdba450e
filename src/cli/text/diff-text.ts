import type { RunDiff } from "../../contract/runs/run.ts";
import { blockerWords } from "../../contract/words/blocker-words.ts";
import { pullRequestCommands, pushCommand } from "../../contract/words/push-commands.ts";
import { standingText } from "../runs/run-text.ts";
import { controlLines } from "./control-text.ts";
import type { Paint, Style } from "./paint.ts";
import { everySign, manyLines, oneLine } from "./plain-text.ts";
import type { TableSpace } from "./text-table.ts";
import { wrapProse } from "./text-wrap.ts";

interface Shown extends TableSpace {
  /** How the program is called. */
  calledAs: string;
  /** Only which files, and how much. */
  isShort: boolean;
  /** Who looks at it is asked right after. */
  isAsked?: boolean;
  /** As many lines of the diff as are shown; undefined: all. */
  most: number | undefined;
}

const INCOMPLETE =
  "Checkpoints of this run are missing. It may have changed more than is shown, including files that control your tools. Check the working folder before you approve.";
const HEADER = /^(?:diff |index |--- |\+\+\+ |(?:new|deleted) file|old mode|new mode|similarity|rename |copy )/;

/** A diff for people: what is in it, the diff itself, and the hash that an approval names. */
export function diffText(answer: RunDiff, shown: Shown): string {
  const { delivery, hash, changedSince = [] } = answer;
  const { paint } = shown;
  const { state } = delivery;
  const isOpen = (state === "review" || state === "kept") && shown.isAsked !== true;
  return [
    paint("bold", standingText(answer) ?? ""),
    ...withSpace(controlLines(answer.controlFiles, shown, { isInFolder: delivery.kind === "folder" })),
    ...(answer.incomplete ? [paint("yellow", wrapProse(INCOMPLETE, shown.width))] : []),
    ...countLines(answer, paint),
    ...changedSince.map((path) => paint("yellow", `changed since the run: ${oneLine(path)}`)),
    ...(shown.isShort || answer.diff === "" ? [] : ["", ...changeLines(answer, shown)]),
    "",
    ...(answer.isLive ? [liveText(answer)] : []),
    ...(isNothing(answer) ? ["No changes."] : []),
    ...(answer.blockers ?? []).map((blocker) =>
      paint("yellow", wrapProse(oneLine(blockerWords(blocker)), shown.width)),
    ),
    ...(hash === "" || answer.isLive ? [] : [`hash ${hash}`]),
    ...(isOpen ? decisionLines(answer, shown.calledAs) : []),
    ...remoteLines(answer, isOpen),
  ].join("\n");
}

function isNothing({ head, incomplete, isLive }: RunDiff): boolean {
  return head === "" && incomplete === undefined && isLive === undefined;
}

function liveText({ files }: RunDiff): string {
  const count = `${files.length} ${files.length === 1 ? "file" : "files"} so far`;
  return `${files.length === 0 ? "No changes so far" : count}. The run is still in progress.`;
}

function withSpace(lines: string[]): string[] {
  return lines.length === 0 ? [] : ["", ...lines, ""];
}

function decisionLines({ runId, hash }: RunDiff, calledAs: string): string[] {
  return [
    `Approve with: ${calledAs} run approve ${runId} --hash ${hash}`,
    `Request changes with: ${calledAs} run request-changes ${runId} FEEDBACK`,
    `Discard with: ${calledAs} run discard ${runId}`,
  ];
}

/** For the person to run: the hall has neither their keys nor a reason to use the network in their name. */
export function remoteLines({ remote, subject = "", delivery }: RunDiff, isOpen: boolean): string[] {
  if (remote === undefined || delivery.kind !== "branch") return [];
  if (isOpen) return ["Or open a pull request:", ...pullRequestCommands({ remote, delivery, title: subject })];
  return delivery.state === "delivered" ? [`Push with: ${pushCommand({ remote, delivery })}`] : [];
}

function countLines({ files }: RunDiff, paint: Paint): string[] {
  const counts = files.map(({ binary, unshown, additions, deletions }) =>
    binary ? "binary" : unshown ? "unshown" : `+${additions} -${deletions}`,
  );
  const width = Math.max(0, ...counts.map((count) => count.length));
  return files.map(({ path }, at) => {
    const count = (counts[at] ?? "").padEnd(width);
    const [added = "", ...removed] = count.split(" ");
    const painted = /^[a-z]/.test(added) ? count : `${paint("green", added)} ${paint("red", removed.join(" "))}`;
    return `${painted}  ${oneLine(everySign(path))}`;
  });
}

function changeLines({ diff, delivery, truncated, runId }: RunDiff, { paint, most, calledAs }: Shown): string[] {
  // A line that differs in its end alone would look like the one it replaces.
  const lines = withoutBinary(manyLines(everySign(diff).trimEnd().replaceAll("\r\n", "␍\n")).split("\n"));
  const all =
    delivery.kind === "branch"
      ? ` See the complete diff with 'git diff ${oneLine(delivery.target)}...${oneLine(delivery.name)}'.`
      : "";
  const left = most === undefined ? 0 : lines.length - most;
  const hint = `${left} more lines. Show them with '${calledAs} run diff ${runId} --full'.`;
  return [
    ...lines.slice(0, left > 0 ? most : undefined).map((line) => paint(styleOf(line), line)),
    ...(left > 0 ? ["", hint] : []),
    ...(truncated ? ["", `The diff is too long to show in full.${all}`] : []),
  ];
}

/** What a binary file holds is for programs. */
function withoutBinary(lines: string[]): string[] {
  let isBinary = false;
  return lines.flatMap((line) => {
    if (line.startsWith("diff --git ")) isBinary = false;
    if (isBinary) return [];
    isBinary = line === "GIT binary patch";
    return [isBinary ? "(binary)" : line];
  });
}

function styleOf(line: string): Style | undefined {
  if (HEADER.test(line)) return "bold";
  if (line.startsWith("@@")) return "cyan";
  if (line.startsWith("+")) return "green";
  return line.startsWith("-") ? "red" : undefined;
}
