import { HallError } from "../contract/errors.ts";
import type { FromProcess, Order } from "../contract/runs/protocol.ts";
import { errorText } from "../contract/words/error-text.ts";
import { hintText } from "../contract/words/hint.ts";
import { type Asking, answerQuestion, type HallQuestions } from "./hall-questions.ts";
import type { Party } from "./party.ts";
import type { Place, Work } from "./place.ts";

type Question = Extract<FromProcess, { type: "ask_hall" }>;
type ModelCall = Extract<FromProcess, { type: "llm_request" }>;

interface Ports {
  /** What every process may ask, whatever it does. */
  questions: HallQuestions;
  /** Waits for it when the project is stopped. */
  track: (projectId: string, work: Promise<void>) => void;
}

/** Takes what the processes say to those whom it is for. */
export class Switchboard {
  readonly #ports: Ports;
  readonly #parties = new Map<Order["kind"], Party>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  attach(party: Party): void {
    if (this.#parties.has(party.kind)) throw new Error(`There is a party for '${party.kind}' already.`);
    this.#parties.set(party.kind, party);
  }

  parties(): Party[] {
    return [...this.#parties.values()];
  }

  partyOf({ kind }: Work): Party {
    const party = this.#parties.get(kind);
    if (party === undefined) throw new Error(`There is no party for '${kind}'.`);
    return party;
  }

  hear(place: Place, message: FromProcess): void {
    const orderId = "orderId" in message ? message.orderId : undefined;
    const work = orderId === undefined ? undefined : place.works.get(orderId);
    // Whatever is said of what was taken from the process does not count any more.
    if (orderId !== undefined && work === undefined) return;
    if (work?.held !== undefined) return void work.held.push(message);
    if (message.type === "llm_cancel") place.desk.cancel(message.requestId);
    else if (message.type === "ask_hall") this.#hearQuestion(place, message, work);
    else if (work === undefined || !("orderId" in message)) return;
    else if (message.type === "llm_request") this.#ports.track(place.projectId, this.#ask(work, message));
    else this.partyOf(work).hear(work, message);
  }

  /** With the settings that the hall has for it, whatever its process says. */
  async #ask(work: Work, message: ModelCall): Promise<void> {
    const party = this.partyOf(work);
    const { desk } = work.place;
    let settings: ModelCall["settings"];
    try {
      settings = party.settings(work, message.settings);
    } catch (error) {
      // Not as a provider refuses a conversation: there is nothing wrong with what was said.
      return desk.refuse(message.requestId, errorText(error), "budget");
    }
    const call = () => desk.ask(work, { ...message, settings }, { isPatient: party.isPatient(work) });
    if (party.ask === undefined) await call();
    else if (!(await party.ask(work, call)))
      desk.refuse(message.requestId, "The requester is no longer waiting for this.");
  }

  #hearQuestion(place: Place, question: Question, work: Work | undefined): void {
    const questions = { ...this.#ports.questions, ...(work === undefined ? {} : this.partyOf(work).questions) };
    const answered = this.#answer(place, question, { runId: work?.runId, questions });
    const asked = Object.hasOwn(questions, question.what) ? questions[question.what] : undefined;
    if (asked?.mayBeCutOff !== true) this.#ports.track(place.projectId, answered);
  }

  /** Never rejects. */
  async #answer(
    { process, projectId }: Place,
    { requestId, what, input, messageId, callId }: Question,
    { runId, questions }: { runId: string | undefined; questions: HallQuestions },
  ): Promise<void> {
    const asking: Asking = { projectId, runId, messageId, callId };
    try {
      const value = await answerQuestion(questions)({ what, input }, asking);
      process.send({ type: "reply", requestId, ok: true, value });
    } catch (error) {
      const hint = error instanceof HallError ? ` ${hintText(error.hint)}` : "";
      process.send({ type: "reply", requestId, ok: false, message: `${errorText(error)}${hint}` });
    }
  }
}
