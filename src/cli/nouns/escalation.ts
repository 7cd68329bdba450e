import type { Escalation } from "../../contract/documents/escalation.ts";
import {
  ANSWER_SCOPES,
  ESCALATION_STATUSES,
  type EscalationStatus,
} from "../../contract/documents/escalation-status.ts";
import { HallError } from "../../contract/errors.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { canConfirm } from "../confirming.ts";
import { type Context, chosenProject } from "../context.ts";
import { moreLines, readPages } from "../http/paging.ts";
import { textOrInput } from "../input.ts";
import { escalationOf } from "../references.ts";
import { confirmedHash } from "../runs/confirmed-hash.ts";
import { onlyProject, paging } from "../shared-options.ts";
import { answerPending, approvedRun } from "../talk/answer-pending.ts";
import { decidedText, escalationCard, escalationColumns } from "../text/escalation-text.ts";
import { oneLine } from "../text/plain-text.ts";
import { textTable } from "../text/text-table.ts";

const escalation = { kind: "one", help: "Escalation id, or its last characters" } as const satisfies ArgumentSpec;

export const commands = {
  "escalation list": command(
    {
      summary: "List what waits for your decision, most urgent first",
      detail:
        "Agents' questions, results in review, failed tasks, waiting runs, suspended projects, unreadable files, and skills, " +
        "instructions and folders to accept.",
      options: {
        status: {
          kind: "text",
          value: "STATUS",
          help: "Status (default: pending)",
          words: [...ESCALATION_STATUSES, "all"],
        },
        project: onlyProject,
        snoozed: { kind: "flag", help: "Include snoozed ones" },
        ...paging,
      },
      examples: ["escalation list", "escalation list -p shop --json", "escalation list --status resolved"],
    },
    async ({ status = "pending", project, snoozed, ...page }, context) => {
      const { call, output } = context;
      const wanted = status === "all" ? {} : { status: status as EscalationStatus };
      const query = { ...wanted, project: chosenProject(project, context), ...(snoozed ? { snoozed: true } : {}) };
      const answer = await readPages(
        page,
        (part) => call("listEscalations", { query: { ...query, ...part } }),
        (before, next) => ({
          ...next,
          invalid: before.invalid,
          escalations: [...before.escalations, ...next.escalations],
        }),
      );
      output.answer(answer, () =>
        [
          answer.escalations.length === 0
            ? emptyText(status)
            : textTable(escalationColumns(answer.escalations), answer.escalations, output),
          ...answer.invalid.map(
            ({ file, reason }) => `${output.paint("red", "invalid:")} ${oneLine(file)}  ${oneLine(reason)}`,
          ),
          ...moreLines(answer.nextCursor),
        ].join("\n"),
      );
      return 0;
    },
  ),

  "escalation show": command(
    {
      summary: "Show an escalation with its context and answers",
      args: { escalation },
      examples: ["escalation show esc-004", "escalation show esc-004 --json"],
    },
    async ({ escalation: given }, context) => {
      const { call, output } = context;
      const answer = await call("getEscalation", { params: { id: await escalationOf(given, context) } });
      output.answer(answer, () => escalationCard(answer.escalation, output));
      return 0;
    },
  ),

  "escalation answer": command(
    {
      summary: "Answer an escalation, or go through all that are pending",
      detail:
        "The answer is one of the suggested ones, by its number or label, or your own words with --text. " +
        "On a terminal without --hash, approving a result shows its diff and asks for confirmation. " +
        "Without an id, on a terminal, shows one pending escalation after another; Ctrl-C leaves.",
      args: {
        answer: { kind: "maybe-rest", help: "Escalation id, then the number or label of the answer" },
      },
      options: {
        text: {
          kind: "text",
          value: "TEXT",
          help: "Your own words, feedback or a new limit ('-' reads standard input)",
        },
        always: { kind: "flag", help: "Answer the same question this way from now on" },
        scope: {
          kind: "text",
          value: "SCOPE",
          help: "What the answer applies to (default: project)",
          words: ANSWER_SCOPES,
        },
        hash: { kind: "text", value: "HASH", help: "To approve a result: hash of the diff you reviewed" },
        hours: { kind: "number", value: "HOURS", help: "With the answer 'hour' to a permission request: 1 to 8" },
      },
      examples: [
        "escalation answer",
        "escalation answer esc-004 1",
        "escalation answer esc-009 hour --hours 4",
        "escalation answer esc-004 --text 'Use Stripe.' --always",
        "escalation answer 579tsj Request changes --text 'Keep the old name.'",
      ],
    },
    async ({ answer: words, text: typed, always, scope, hash, hours }, context) => {
      const { call, output } = context;
      const [given = "", ...rest] = words.trim().split(/\s+/);
      if (given === "") return answerPending(context);
      const id = await escalationOf(given, context);
      const { escalation: entry } = await call("getEscalation", { params: { id } });
      const answer = chosenLabel(entry, rest.join(" "), context);
      const resolution = await textOrInput(typed, context.host.input);
      if (answer === undefined && resolution === undefined) throw missingAnswer(entry, context);
      const body = {
        answer,
        resolution,
        ...(always ? { always } : {}),
        scope: scope as (typeof ANSWER_SCOPES)[number] | undefined,
        hours,
      };
      const approved = approvedRun(entry, answer);
      // A script names its answer on purpose, and gets what was there when it asked.
      const isAsked = approved !== undefined && hash === undefined && canConfirm(context);
      const seen = isAsked ? await confirmedHash(approved, context) : (hash ?? entry.etag);
      if (isAsked && seen === undefined) {
        output.note("Not approved.");
        return 0;
      }
      // What changed since it was shown is not decided.
      const ifMatch = entry.subject === undefined ? undefined : seen;
      const done = await call("resolveEscalation", { params: { id }, body, ifMatch });
      output.answer(done, () => decidedText(done.escalation, output.calledAs));
      return 0;
    },
  ),
};

function emptyText(status: string): string {
  return status === "pending" ? "Nothing waits for your decision." : "No escalations match.";
}

/** A number names the answer in that place; anything else is its label, in any case of letters. */
function chosenLabel(entry: Escalation, words: string, context: Context): string | undefined {
  if (words === "") return undefined;
  const { suggestedAnswers } = entry;
  const named = suggestedAnswers.find(({ label }) => label.toLocaleLowerCase() === words.toLocaleLowerCase());
  const numbered = /^\d+$/.test(words) ? suggestedAnswers[Number(words) - 1] : undefined;
  const chosen = named ?? numbered;
  // The daemon tells what became of a resolved one.
  if (chosen === undefined && entry.status !== "resolved")
    throw missingAnswer(entry, context, `'${oneLine(words)}' is not one of the suggested answers.`);
  return chosen?.label ?? words;
}

function missingAnswer(
  { suggestedAnswers, permission }: Escalation,
  { output }: Context,
  what = "Missing answer.",
): HallError {
  const labels = suggestedAnswers.map(({ label }, at) => `${at + 1} (${oneLine(label)})`).join(", ");
  return new HallError("usage", what, {
    hint:
      labels === ""
        ? "Pass your answer with --text."
        : `Pass ${labels}${output.json || permission !== undefined ? "" : ", or your own words with --text"}.`,
  });
}
