import { z } from "zod";
import { ChannelAddress } from "../../contract/documents/channel.ts";
import { HallError } from "../../contract/errors.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import type { Files } from "../../store/files/files.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { PROPOSALS_FILE } from "../../workspace/layout.ts";
import { keyOf } from "../channels/channels.ts";
import { type Exchange, following, idOf } from "../channels/exchange.ts";
import type { AnswerDesk, ShownQuestion } from "../questions.ts";
import { isOfPerson } from "./main-caller.ts";
import { spotOf } from "./main-session-id.ts";
import { isPlainYes } from "./plain-yes.ts";

const MOST_KEPT = 20;

const Proposal = z.strictObject({
  id: z.string(),
  channel: ChannelAddress,
  /** The number of the message that showed it to the person. */
  shownAt: z.int(),
  answers: z.array(
    z.strictObject({
      id: z.string(),
      /** Of the question when it was proposed. */
      fingerprint: z.string(),
      label: z.string().optional(),
      text: z.string().optional(),
    }),
  ),
});
type Proposal = z.infer<typeof Proposal>;
const Proposals = z.strictObject({ proposals: z.array(Proposal) });

/** What the agent understood that the person wants to answer. */
export interface Understood {
  id: string;
  /** The label of a suggested answer. */
  answer?: string | undefined;
  /** In the person's own words. */
  resolution?: string | undefined;
}

interface Parts {
  files: Pick<Files, "exists" | "text" | "replace">;
  exchange: Exchange;
  desk: () => AnswerDesk;
}

/**
 * Answers in words take two messages of the person. With the first, the agent proposes; the hall itself shows what would be
 * recorded. It is recorded when the person's next message there says yes and nothing else.
 */
export class AnswerProposals {
  readonly #parts: Parts;
  #proposals: Proposal[];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#proposals = load(parts.files);
  }

  get desk(): AnswerDesk {
    return this.#parts.desk();
  }

  /** Called again with the same call, it shows the same once. */
  async propose(understood: readonly Understood[], message: SessionMessage, callId: string): Promise<string> {
    const desk = this.desk;
    const found: { question: ShownQuestion; answer: Proposal["answers"][number]; words: string }[] = [];
    for (const one of understood) found.push(await this.#answerOf(desk, one));
    const lines = found.map(({ question, words }, at) => `${at + 1}. ${question.id}: ${words}`);
    const text = `This will be recorded as your ${found.length === 1 ? "answer" : "answers"}:\n\n${lines.join("\n")}\n\nReply "yes" to record ${found.length === 1 ? "it" : "them"}.`;
    const id = idOf("proposal", callId).slice(0, "proposal-".length + 8);
    const { channel } = message;
    const draft = { id: idOf("proposed", callId), from: "hall" as const, to: "person" as const, text };
    const shown = await this.#parts.exchange.send(channel, { ...draft, ...following(message) });
    const others = this.#proposals.filter((proposal) => keyOf(proposal.channel) !== keyOf(channel));
    await this.#save([...others, { id, channel, shownAt: shown.seq, answers: found.map(({ answer }) => answer) }]);
    return `${id}: nothing is recorded yet. The person was shown this:\n\n${text}\n\nEnd your turn without repeating it. If their next message says yes, call confirm_answers with "${id}"; if it changes something, propose again.`;
  }

  /** Whether this turn answers the person's yes to the proposal. */
  isConfirmed(proposalId: string, message: SessionMessage): boolean {
    const proposal = this.#proposals.find(({ id }) => id === proposalId);
    if (proposal === undefined || !isOfPerson(message) || message.client !== undefined) return false;
    if (keyOf(proposal.channel) !== keyOf(message.channel)) return false;
    const file = this.#parts.exchange.channels.of(message.channel);
    const next = file
      .page({ after: proposal.shownAt, limit: 100 })
      .find(({ from, to }) => from === "person" && to === "main");
    return next?.id === spotOf(message).messageId && isPlainYes(message.text);
  }

  /** Whether it may was checked before. Each answer is recorded once, also after a crash in between. */
  async confirm(proposalId: string): Promise<string> {
    const desk = this.desk;
    const proposal = this.#proposals.find(({ id }) => id === proposalId);
    if (proposal === undefined) throw new HallError("invalid", `There is no proposal '${proposalId}'.`);
    const lines: string[] = [];
    for (const { id, fingerprint, label, text = "" } of proposal.answers) {
      const question = await desk.find(id);
      const isSame = question?.state.kind !== "open" || question.fingerprint === fingerprint;
      const word = { via: "chat" as const, key: `${proposalId}-${id}` };
      const given = label === undefined ? { text } : { label };
      const answered = isSame ? await desk.answer(id, given, word) : undefined;
      lines.push(answered?.words ?? `${id} was changed in the meantime, so nothing was recorded for it.`);
    }
    await this.#save(this.#proposals.filter(({ id }) => id !== proposalId));
    return lines.join("\n");
  }

  async #answerOf(desk: AnswerDesk, { id, answer, resolution }: Understood) {
    const question = await desk.find(id);
    if (question === undefined) throw new HallError("escalation_not_found", `There is no escalation '${id}'.`);
    if (question.state.kind === "closed")
      throw new HallError("escalation_resolved", `${id} is closed. ${question.state.words}`);
    const { suggestedAnswers, fingerprint } = question;
    const folded = answer?.trim().toLowerCase();
    const label = suggestedAnswers.find((one) => one.label.trim().toLowerCase() === folded)?.label;
    const text = resolution?.trim() ?? "";
    if (label === undefined && answer !== undefined)
      throw new HallError(
        "invalid",
        `${id} has no suggested answer '${answer}'. Suggested: ${suggestedAnswers.map((one) => one.label).join(", ") || "none"}.`,
        { hint: "For anything else, use resolution with the person's own words." },
      );
    if (label === undefined && text === "") throw new HallError("invalid", `${id}: pass answer or resolution.`);
    const chosen = label === undefined ? { text } : { label };
    return { question, answer: { id, fingerprint, ...chosen }, words: label ?? text };
  }

  async #save(proposals: Proposal[]): Promise<void> {
    this.#proposals = proposals.slice(-MOST_KEPT);
    await this.#parts.files.replace(PROPOSALS_FILE, documentText({ proposals: this.#proposals }));
  }
}

/** Notes that can't be read are as good as none: the agent proposes again. */
function load(files: Parts["files"]): Proposal[] {
  return readDocument(files, PROPOSALS_FILE, Proposals)?.proposals ?? [];
}
