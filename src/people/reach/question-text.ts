import { createHash } from "node:crypto";
import type { Escalation } from "../../contract/documents/escalation.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { mayExpire } from "../rules/escalation-resolving.ts";

/** Telegram takes 4,096 characters in one message; secrets that are replaced may make a text longer. */
const LONGEST_TEXT = 3_800;
const LONGEST_QUESTION = 2_000;
const LONGEST_ANSWER = 130;
const LONGEST_LINE = 160;
/** Less of the context than this helps nobody. */
const LEAST_CONTEXT = 80;
const MOST_LISTED = 10;
const MOST_IN_INBOX = 20;

/** A question as a message. What others wrote is quoted line by line, so that none of it looks like the hall's own words. */
export function questionText(escalation: Escalation): string {
  const { question, context, suggestedAnswers, reminders } = escalation;
  const heading = `${reminders > 0 ? "Reminder: " : ""}${headingOf(escalation)}`;
  const answers = suggestedAnswers.map(({ label, description }, at) => {
    const more = description.trim() === "" ? "" : `: ${description}`;
    return `${at + 1}. ${cutText(oneLine(`${label}${more}`), LONGEST_ANSWER)}`;
  });
  const notes = [...blockedText(escalation), ...defaultText(escalation), "Reply to this message with your answer."];
  const asked = [heading, quoted(cutText(oneLine(question), LONGEST_QUESTION))].join("\n");
  const rest = [...(answers.length === 0 ? [] : [answers.join("\n")]), notes.join("\n")].join("\n\n");
  const room = LONGEST_TEXT - asked.length - rest.length;
  const background = context.trim() === "" || room < LEAST_CONTEXT ? [] : [fitting(context.trim(), room)];
  return [asked, ...background, rest].join("\n\n");
}

/** Several at once, the most urgent first. */
export function summaryText(escalations: readonly Escalation[]): string {
  const listed = escalations.slice(0, MOST_LISTED).map((escalation, at) => {
    const { id, projectId, question } = escalation;
    const place = projectId === undefined ? "" : `${projectId}: `;
    return `${at + 1}. ${id} · ${cutText(`${place}${oneLine(question)}`, LONGEST_LINE)}`;
  });
  const left = escalations.length - listed.length;
  return [
    `${escalations.length} decisions are waiting for you.`,
    listed.join("\n"),
    ...(left === 0 ? [] : [`And ${left} more in the Inbox.`]),
  ].join("\n\n");
}

/** What a person or an agent reads who asks for the list: each with its answers. */
export function inboxText(escalations: readonly Escalation[]): string {
  if (escalations.length === 0) return "No decisions are waiting for you.";
  const entries = escalations.slice(0, MOST_IN_INBOX).map((escalation, at) => {
    const labels = escalation.suggestedAnswers.map(({ label }) => oneLine(label)).join(" / ");
    return [
      `${at + 1}. ${headingOf(escalation)}`,
      `   > ${cutText(oneLine(escalation.question), LONGEST_QUESTION / 5)}`,
      ...(labels === "" ? [] : [`   Answers: ${cutText(labels, LONGEST_QUESTION / 5)}`]),
    ].join("\n");
  });
  const left = escalations.length - entries.length;
  const count = escalations.length === 1 ? "1 decision is" : `${escalations.length} decisions are`;
  return [`${count} waiting for you.`, ...entries, ...(left === 0 ? [] : [`And ${left} more.`])].join("\n\n");
}

/** Those that a summary lists. */
export function listedIn<Entry>(escalations: readonly Entry[]): readonly Entry[] {
  return escalations.slice(0, MOST_LISTED);
}

/** How a resolved one ended. */
export function outcomeText({ outcome, answer, resolution, resolvedBy }: Escalation): string {
  const text = resolution ?? answer ?? "";
  const said = answer !== null && !text.startsWith(answer) ? `${answer}. ${text}` : text;
  switch (outcome) {
    case "dismissed":
      return `Dismissed: ${said}`;
    case "withdrawn":
      return `Withdrawn: ${said}`;
    case "expired":
      return `No answer in time. The stated default applies: ${said}`;
    case "answered":
    case undefined:
      return resolvedBy === "person" || resolvedBy === null
        ? `Answered: ${said}`
        : `Answered by ${resolvedBy}: ${said}`;
  }
}

/** Of what the person sees and chooses from; of a result, a skill or a folder also of its content. */
export function fingerprintOf({ question, suggestedAnswers, subject, etag = "" }: Escalation): string {
  const content = subject === undefined ? [] : [etag];
  const shown = [question, ...suggestedAnswers.map(({ label }) => label), ...content];
  return createHash("sha256").update(JSON.stringify(shown)).digest("hex").slice(0, 8);
}

function headingOf({ id, type, priority, projectId }: Escalation): string {
  return [id, ...(projectId === undefined ? [] : [projectId]), `${type}, ${priority} priority`].join(" · ");
}

function blockedText({ blocksTask, subject }: Escalation): string[] {
  return blocksTask === null || subject !== undefined ? [] : [`${blocksTask} is blocked until this is answered.`];
}

function defaultText({ expires, type }: Escalation): string[] {
  if (expires === undefined || !mayExpire(type)) return [];
  return [`Without an answer by ${expires.at.slice(0, 16).replace("T", " ")} UTC, this applies: ${expires.answer}`];
}

function fitting(text: string, room: number): string {
  // Every line gets a mark.
  const lines = text.split("\n").slice(0, 60).join("\n");
  return quoted(cutText(lines, Math.max(0, room - 10 - 2 * lines.split("\n").length)));
}

function quoted(text: string): string {
  return harmless(text)
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

function oneLine(text: string): string {
  return harmless(text.replaceAll(/\s+/g, " ").trim());
}

/** Telegram makes a word after a slash a command that one tap sends in the person's name; a joiner that nobody sees prevents it. */
function harmless(text: string): string {
  return text.replaceAll(/(?<![\w/<>])\/(?=\w)/g, "/\u2060");
}
