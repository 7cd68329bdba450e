import type { OfferedAnswer, SuggestedAnswer } from "../../contract/documents/escalation.ts";

/** Answers to a question of the hall, each with what it has the hall do. */
export type Offer<Code extends string> = readonly (readonly [code: Code, answer: SuggestedAnswer])[];

/** What an answer says where nothing is written with it. */
export function answerText({ label, description }: SuggestedAnswer): string {
  return description === "" ? label : `${label}: ${description}`;
}

interface Asked {
  answer: string | null;
  suggestedAnswers: readonly OfferedAnswer[];
}

/** As the question keeps them. */
export function offeredAnswers(offer: Offer<string>): OfferedAnswer[] {
  return offer.map(([code, answer]) => ({ ...answer, code }));
}

/** What the answer stands for that was chosen, by the question as it was asked: its labels may read otherwise by now. */
export function chosenCode<Code extends string>(
  offer: Offer<Code>,
  { answer, suggestedAnswers }: Asked,
): Code | undefined {
  const chosen = suggestedAnswers.find(({ label }) => label === answer);
  // Questions from before had labels alone.
  const isChosen = ([code, { label }]: Offer<Code>[number]) =>
    chosen?.code === undefined ? label === chosen?.label : code === chosen.code;
  return offer.find(isChosen)?.[0];
}

/** What the person wrote beside the answer they chose, whose own text stands in where they wrote nothing. */
export function wordsBeside({ answer, suggestedAnswers, resolution }: Asked & { resolution: string | null }): string {
  const chosen = suggestedAnswers.find(({ label }) => label === answer);
  const said = chosen === undefined ? [] : [chosen.label, answerText(chosen)];
  return resolution === null || said.includes(resolution) ? "" : resolution;
}
