import type { Escalation, Resolve } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { hintText } from "../../contract/words/hint.ts";
import type { AnswerDesk, Answered, PersonsWord, ShownQuestion } from "../../projects/questions.ts";
import type { Clock } from "../../store/ids.ts";
import type { Change } from "../../workspace/change.ts";
import { fingerprintOf, inboxText, outcomeText, questionText } from "./question-text.ts";

const HOUR_MS = 3_600_000;
const LONGEST_REPEATED = 1_000;

interface Parts {
  desk: {
    get(id: string): Promise<Escalation>;
    resolve(id: string, body: Resolve, change: Change): Promise<Escalation>;
    snooze(id: string, until: string | null, change: Change): Promise<Escalation>;
  };
  /** All that wait for the person, also those that are snoozed. */
  pending: () => Promise<Escalation[]>;
  /** The page of an entry, where other devices can reach it. */
  link: (id: string) => string | undefined;
  clock: Clock;
}

/** The queue of decisions as channels use it, in the person's name. */
export function answerDesk({ desk, pending, link, clock }: Parts): AnswerDesk {
  return {
    find: async (id) => {
      const escalation = await unlessGone(() => desk.get(id));
      return escalation === undefined ? undefined : shownQuestion(escalation, link(id));
    },
    openIds: async () => (await pending()).map(({ id }) => id),
    inbox: async (of) => {
      const now = clock().getTime();
      const isShown = ({ projectId, snoozedUntil }: Escalation) =>
        (of === undefined || (projectId !== undefined && of.has(projectId))) &&
        (snoozedUntil === undefined || Date.parse(snoozedUntil) <= now);
      return inboxText((await pending()).filter(isShown));
    },
    answer: (id, given, word) =>
      answered(async () => {
        const label = "label" in given ? given.label : chosen(given.text, await desk.get(id));
        const body = { always: false, replaces: [], ...(label === undefined ? textOf(given) : { answer: label }) };
        const ifMatch = "label" in given ? given.etag : undefined;
        const { answer, resolution } = await desk.resolve(id, body, { ...changeOf(word, { id, ...body }), ifMatch });
        return `Recorded for ${id}: ${cutText(answer ?? resolution ?? "", LONGEST_REPEATED)}`;
      }),
    snooze: (id, hours, word) =>
      answered(async () => {
        const until = new Date(clock().getTime() + hours * HOUR_MS).toISOString();
        await desk.snooze(id, until, changeOf(word, { id, hours }));
        return `${id} is snoozed for ${hours} ${hours === 1 ? "hour" : "hours"}.`;
      }),
  };
}

function shownQuestion(escalation: Escalation, link: string | undefined): ShownQuestion {
  const { id, suggestedAnswers, status, subject, etag } = escalation;
  return {
    id,
    text: questionText(escalation),
    suggestedAnswers,
    fingerprint: fingerprintOf(escalation),
    ...(subject === undefined ? {} : { etag }),
    link,
    state: status === "resolved" ? { kind: "closed", words: outcomeText(escalation) } : { kind: "open" },
  };
}

/** The label that the person's words name: as it is, or by its number. */
function chosen(text: string, { suggestedAnswers }: Escalation): string | undefined {
  const folded = text.trim().replace(/[.!]$/, "").toLowerCase();
  const byNumber = /^\d{1,2}$/.test(folded) ? suggestedAnswers[Number(folded) - 1] : undefined;
  return (byNumber ?? suggestedAnswers.find(({ label }) => label.trim().toLowerCase() === folded))?.label;
}

function textOf(given: { label: string } | { text: string }): { resolution: string } {
  return { resolution: "text" in given ? given.text : given.label };
}

function changeOf({ via, key }: PersonsWord, what: object): Change {
  return { actor: { kind: "person", via }, request: { key, fingerprint: JSON.stringify(what) } };
}

/** A refusal is an answer, too: the person reads why, and which answer is in effect. */
async function answered(work: () => Promise<string>): Promise<Answered> {
  try {
    return { kind: "recorded", words: await work() };
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    const isClosed = error.code === "escalation_resolved" || error.code === "escalation_not_found";
    const words = isClosed ? error.message : `${error.message} ${hintText(error.hint)}`.trimEnd();
    return { kind: isClosed ? "closed" : "refused", words };
  }
}

async function unlessGone<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof HallError && error.code === "escalation_not_found") return undefined;
    throw error;
  }
}
