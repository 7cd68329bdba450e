import type { Escalation } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { Context } from "../context.ts";
import { confirmedHash } from "../runs/confirmed-hash.ts";
import { Keyboard } from "../setup/keyboard.ts";
import { decidedText, escalationCard } from "../text/escalation-text.ts";
import { everySign, oneLine } from "../text/plain-text.ts";
import { count } from "../text/text-card.ts";

const MOST_AT_ONCE = 1_000;

/** Shows one pending escalation after another and takes the person's answers. Ctrl-C, Ctrl-D or Esc leaves. */
export async function answerPending(context: Context): Promise<number> {
  const { call, host, output } = context;
  if (!host.input.canAsk || !host.out.isTerminal || output.json)
    throw new HallError("usage", "Missing escalation id.", {
      hint: "Pass an id and an answer, or run the command in a terminal.",
    });
  const query = { status: "pending", limit: MOST_AT_ONCE } as const;
  const { escalations } = await call("listEscalations", { query });
  if (escalations.length === 0) {
    output.note("Nothing waits for your decision.");
    return 0;
  }
  const keyboard = await Keyboard.open(host);
  try {
    let answered = 0;
    for (const [at, { id }] of escalations.entries()) {
      const outcome = await askAbout(id, { keyboard, context, place: `${at + 1} of ${escalations.length}` });
      if (outcome === "left") break;
      if (outcome === "answered") answered++;
    }
    host.out.write(`${count(answered, "escalation")} answered.\n`);
  } finally {
    keyboard.close();
  }
  return 0;
}

interface Asking {
  keyboard: Keyboard;
  context: Context;
  place: string;
}

/** The run whose result the answer approves. Its diff is shown before. */
export function approvedRun({ subject, suggestedAnswers }: Escalation, answer?: string): string | undefined {
  const action = suggestedAnswers.find(({ label }) => label === answer)?.action;
  return action === "approve" ? subject?.id : undefined;
}

/** One that was answered elsewhere meanwhile is passed over with a word. */
async function askAbout(id: string, asking: Asking): Promise<"answered" | "skipped" | "left"> {
  const { context, keyboard, place } = asking;
  const { host, output, call } = context;
  const { escalation } = await call("getEscalation", { params: { id } });
  if (escalation.status === "resolved") return "skipped";
  host.out.write(`\n${output.paint("dim", place)}\n${escalationCard(escalation, output)}\n\n`);
  for (;;) {
    const typed = (await keyboard.line(promptFor(escalation)))?.trim();
    if (typed === undefined) return "left";
    if (typed === "") return "skipped";
    if (isUnknownNumber(escalation, typed)) {
      host.out.write(`Choose 1-${escalation.suggestedAnswers.length}.\n`);
      continue;
    }
    const body = await bodyOf(escalation, typed, keyboard);
    if (body === undefined) return "left";
    try {
      const approved = approvedRun(escalation, body.answer);
      const ask = (question: string) => keyboard.line(question);
      const seen = approved === undefined ? escalation.etag : await confirmedHash(approved, context, ask);
      if (approved !== undefined && seen === undefined) {
        host.out.write("Not approved.\n");
        continue;
      }
      const ifMatch = escalation.subject === undefined ? undefined : seen;
      const done = await call("resolveEscalation", { params: { id }, body, ifMatch });
      host.out.write(`${decidedText(done.escalation, output.calledAs)}\n`);
      return "answered";
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      host.out.write(`${oneLine(everySign(error.message))}\n`);
      if (error.code !== "invalid" && error.code !== "escalation_refused") return "skipped";
    }
  }
}

function promptFor({ suggestedAnswers, subject }: Escalation): string {
  const numbers = suggestedAnswers.length === 0 ? [] : [`1-${suggestedAnswers.length}`];
  const ways = [...numbers, ...(subject === undefined ? ["your own words"] : []), "Enter to skip"];
  return `Answer (${ways.join(", ")}): `;
}

/** Beside suggested answers a number names one of them; a slip of the finger isn't an answer. */
function isUnknownNumber({ suggestedAnswers }: Escalation, typed: string): boolean {
  return suggestedAnswers.length > 0 && /^\d+$/.test(typed) && suggestedAnswers[Number(typed) - 1] === undefined;
}

const TEXT_PROMPTS = { feedback: "Feedback: ", amount: "New limit: " };

/** Undefined: the person leaves. */
async function bodyOf({ suggestedAnswers }: Escalation, typed: string, keyboard: Keyboard) {
  const chosen = /^\d+$/.test(typed) ? suggestedAnswers[Number(typed) - 1] : undefined;
  if (chosen === undefined) return { resolution: typed };
  if (chosen.needs === undefined) return { answer: chosen.label };
  const resolution = await keyboard.line(TEXT_PROMPTS[chosen.needs]);
  return resolution === undefined ? undefined : { answer: chosen.label, resolution };
}
