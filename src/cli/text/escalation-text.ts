import type { Escalation } from "../../contract/documents/escalation.ts";
import { heardHint, hintText } from "../../contract/words/hint.ts";
import { partyText } from "../../contract/words/party-words.ts";
import { PERMISSION_WORD, SUBJECT_WORDS, TYPE_WORDS } from "../../contract/words/queue-words.ts";
import type { Output } from "../output.ts";
import { everySign, manyLines, oneLine } from "./plain-text.ts";
import { fieldLines, localTime, proseLines } from "./text-card.ts";
import type { Column } from "./text-table.ts";
import { wrapProse } from "./text-wrap.ts";

/** What kind of decision it is: `Review`, or `Question` of an agent. */
function kindText({ subject, type, origin }: Escalation): string {
  if (origin === "permission") return PERMISSION_WORD;
  return subject === undefined ? TYPE_WORDS[type] : SUBJECT_WORDS[subject.kind];
}

/** Longer ids are cut to their end, which commands take as well. */
const LONGEST_ID = 16;
const SHORTEST_END = 8;

/** For each id as much of its end as no other one has. */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const short = new Map(ids.filter((id) => id.length <= LONGEST_ID).map((id) => [id, id]));
  let left = ids.filter((id) => !short.has(id));
  for (let length = SHORTEST_END; left.length > 0; length++) {
    const ends = ids.map((id) => id.slice(-length));
    const counts = Map.groupBy(ends, (end) => end);
    const isLast = left.every((id) => id.length <= length);
    for (const id of left) if (isLast || counts.get(id.slice(-length))?.length === 1) short.set(id, id.slice(-length));
    left = left.filter((id) => !short.has(id));
  }
  return short;
}

export function escalationColumns(entries: readonly Escalation[]): Column<Escalation>[] {
  const short = shortIds(entries.map(({ id }) => id));
  return [{ title: "ID", text: ({ id }) => short.get(id) ?? id, style: () => "bold" }, ...columns];
}

const columns: Column<Escalation>[] = [
  { title: "KIND", text: kindText },
  { title: "PROJECT", text: ({ projectId = "" }) => projectId, spare: 1 },
  { title: "PRIORITY", text: ({ priority }) => priority, spare: 2 },
  { title: "SINCE", text: ({ createdAt }) => localTime(createdAt), spare: 3 },
  { title: "QUESTION", text: ({ question }) => question, flexible: true },
];

/** The whole entry, with its answers numbered. What agents wrote is shown sign by sign. */
export function escalationCard(entry: Escalation, output: Output): string {
  const { paint, width, calledAs } = output;
  const { subject, askers, blocksTask, answer, resolution, status, outcome } = entry;
  const help = heardHint(entry);
  return [
    wrapProse(paint("bold", oneLine(everySign(entry.question))), width),
    ...fieldLines(
      [
        ["id", entry.id],
        ["kind", kindText(entry)],
        ["status", status === "resolved" ? `resolved (${outcome ?? "answered"})` : status],
        ["project", entry.projectId],
        ["about", subject?.id],
        [
          "asked by",
          subject === undefined ? [partyText(entry.escalatedBy), ...others(askers.length)].join(" ") : undefined,
        ],
        ["blocks", blocksTask ?? undefined],
        ["priority", entry.priority],
        ["since", localTime(entry.createdAt)],
        ["snoozed until", entry.snoozedUntil && localTime(entry.snoozedUntil)],
        ["answer", answer ?? undefined],
        ["answered by", entry.resolvedBy === null ? undefined : partyText(entry.resolvedBy)],
        ["undo until", entry.undoUntil && localTime(entry.undoUntil, "seconds")],
      ],
      paint,
    ),
    ...proseLines("Context", everySign(entry.context), output),
    ...proseLines("Decision", resolution === null ? undefined : everySign(resolution), output),
    ...(status === "resolved" ? [] : answerLines(entry, output)),
    ...(help === undefined ? [] : ["", wrapProse(manyLines(hintText(help, calledAs)), width)]),
  ].join("\n");
}

function others(askers: number): string[] {
  return askers > 1 ? [`and ${askers - 1} more`] : [];
}

function answerLines({ suggestedAnswers }: Escalation, { paint, width }: Output): string[] {
  if (suggestedAnswers.length === 0) return [];
  const lines = suggestedAnswers.map(({ label, description }, at) => {
    const more = description === "" ? "" : `: ${oneLine(everySign(description))}`;
    return wrapProse(`${at + 1}. ${oneLine(everySign(label))}${more}`, width);
  });
  return ["", paint("bold", "Answers"), ...lines];
}

/** What came of a decision, in one line. */
export function decidedText(
  { question, status, outcome, answer, resolution, undoUntil, id }: Escalation,
  calledAs: string,
): string {
  const asked = oneLine(everySign(question));
  if (status !== "resolved") return `Open: ${asked}`;
  const said = oneLine(everySign(answer ?? resolution ?? ""));
  const undo =
    undoUntil === undefined
      ? ""
      : ` Undo with '${calledAs} escalation undo ${id}' until ${localTime(undoUntil, "seconds")}.`;
  return `${outcome === "dismissed" ? "Dismissed" : "Answered"}: ${asked} ${said}${/[.?!]$/.test(said) ? "" : "."}${undo}`;
}
