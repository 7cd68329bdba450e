import type { ModelWait } from "../contract/budget.ts";
import { HallError } from "../contract/errors.ts";
import type { ChildAnswer } from "../contract/hall-questions.ts";
import { hintText } from "../contract/hint.ts";
import type { RecordedEnd } from "../contract/journal.ts";
import { type FromProcess, SESSION } from "../contract/protocol.ts";
import type { Place, Work } from "./place.ts";
import type { SchedulerPorts, Talked } from "./scheduler-ports.ts";

type Ports = Pick<
  SchedulerPorts,
  | "engine"
  | "onTalk"
  | "onTalkWait"
  | "onActivity"
  | "onDelta"
  | "onWait"
  | "onNotify"
  | "onHeard"
  | "onSpawn"
  | "onSearch"
  | "onQuestion"
  | "sessionSettings"
  | "modelOf"
>;
type Question = Extract<FromProcess, { type: "ask_hall" }>;
type ModelCall = Extract<FromProcess, { type: "llm_request" }>;
type AboutARun = Extract<FromProcess, { runId: string }> | (Question & { runId: string });

interface Listeners {
  onEnded: (work: Work, end: RecordedEnd) => void;
  onStumbled: (work: Work, stumbled: Extract<FromProcess, { type: "stumbled" }>) => void;
  onReflected: (place: Place, reflected: Extract<FromProcess, { type: "reflected" }>) => void;
  /** A place may have become free. */
  onRoom: () => void;
  /** Waits for it when the project is stopped. */
  track: (projectId: string, work: Promise<void>) => void;
}

/** Takes what the processes say to where it belongs. */
export class Switchboard {
  readonly #ports: Ports;
  readonly #listeners: Listeners;

  constructor(ports: Ports, listeners: Listeners) {
    this.#ports = ports;
    this.#listeners = listeners;
  }

  hear(place: Place, message: FromProcess): void {
    if (message.type === "llm_cancel") place.desk.cancel(message.requestId);
    else if (message.type === "heard") this.#ports.onHeard(place.projectId, message);
    else if (message.type === "ask_hall") this.#hearQuestion(place, message);
    else if (isTalk(message)) this.#ports.onTalk(place.projectId, message);
    else if (message.type === "reflected") this.#listeners.onReflected(place, message);
    else if (message.type === "llm_request" && message.runId === SESSION)
      this.#listeners.track(place.projectId, this.#askForAgent(place, message));
    else if (message.type === "llm_request" && message.reflection === true)
      this.#listeners.track(place.projectId, this.#reflect(place, message));
    else if ("runId" in message) this.#hearOfRun(place, message);
  }

  /** Of the project's own agent, or of a run: that one must still have its lease. */
  #hearQuestion(place: Place, message: Question): void {
    const { runId, epoch } = message;
    if (runId === undefined) this.#listeners.track(place.projectId, this.#answer(place, message));
    else this.#hearOfRun(place, { ...message, runId, epoch });
  }

  /** The run is over, so that nobody but its process waits for the answer. */
  async #reflect({ reflections, desk }: Place, message: ModelCall): Promise<void> {
    const isAsked = await reflections.ask(message.runId, message.epoch, () => desk.ask(this.#ofRun(message)));
    if (!isAsked) desk.refuse(message.requestId, "Nobody looks back on this run any more.");
  }

  /** With the settings that the hall has for it, whatever its process says. */
  async #askForAgent({ projectId, desk }: Place, message: ModelCall): Promise<void> {
    let settings: ModelCall["settings"];
    try {
      settings = this.#ports.sessionSettings(projectId);
    } catch (error) {
      // Not as a provider refuses a conversation: there is nothing wrong with what was said.
      return desk.refuse(message.requestId, messageOf(error), "budget");
    }
    await desk.ask({ ...message, settings });
  }

  /** A run asks the model that was planned for it. */
  #ofRun(message: ModelCall): ModelCall {
    return { ...message, settings: { ...message.settings, model: this.#ports.modelOf(message.runId) } };
  }

  /** Whoever waits for money or a quota leaves the place in the limits to those who can go on. */
  hearOfWait(place: Place, runId: string, wait: ModelWait | undefined): void {
    if (runId === SESSION) this.#ports.onTalkWait(place.projectId, wait);
    const work = place.works.get(runId);
    if (work === undefined) return;
    this.#ports.onWait(work.lease, "model", wait);
    const isWaiting = wait !== undefined;
    // Of one wait there may be more to say.
    if (work.isHeldUp === isWaiting) return;
    work.isHeldUp = isWaiting;
    this.#listeners.track(place.projectId, this.#waits(work, isWaiting ? 1 : -1));
  }

  #hearOfRun(place: Place, message: AboutARun): void {
    const work = place.works.get(message.runId);
    // Whatever is said of a run that was taken from the process does not count any more.
    if (work === undefined || ("epoch" in message && message.epoch !== work.lease.epoch)) return;
    const { track, onEnded, onStumbled } = this.#listeners;
    switch (message.type) {
      case "llm_request":
        track(place.projectId, place.desk.ask(this.#ofRun(message)));
        break;
      case "activity":
        this.#ports.onActivity(work.lease, message);
        break;
      case "output":
        this.#ports.onDelta(
          { runId: message.runId, projectId: place.projectId },
          { kind: "output", id: message.callId, text: message.text },
        );
        break;
      case "notify":
        track(place.projectId, this.#notify(work, message));
        break;
      case "spawn":
        void this.#spawn(work, message);
        break;
      case "web_search":
        void this.#search(work, message);
        break;
      case "ask_hall":
        track(place.projectId, this.#answer(place, message));
        break;
      case "disk_wait":
        this.#ports.onWait(work.lease, "journal", message.wait);
        break;
      case "ended":
        if (work.state.kind !== "ending") onEnded(work, message.end);
        break;
      case "stumbled":
        onStumbled(work, message);
        break;
    }
  }

  /** Never rejects. The agent goes on when it is sure that the person will be told. */
  async #notify(work: Work, { requestId, runId, callId, text }: Extract<FromProcess, { type: "notify" }>) {
    const { process } = work.place;
    try {
      await this.#ports.onNotify(runId, { callId, text });
      process.send({ type: "reply", requestId, ok: true, value: undefined });
    } catch (error) {
      process.send({ type: "reply", requestId, ok: false, message: messageOf(error) });
    }
  }

  /** Never rejects. Not waited for when the hall stops: the child goes on another time, and the parent asks again. */
  async #spawn(work: Work, request: Extract<FromProcess, { type: "spawn" }>): Promise<void> {
    const { requestId } = request;
    const { process } = work.place;
    try {
      const { answer } = await this.#ports.onSpawn(request);
      process.send({ type: "reply", requestId, ok: true, value: await this.#waitFor(answer, work) });
    } catch (error) {
      process.send({ type: "reply", requestId, ok: false, message: messageOf(error) });
    }
  }

  /** Never rejects. Not waited for when the hall stops: nothing is left behind by a search. */
  async #search(work: Work, { requestId, query, count }: Extract<FromProcess, { type: "web_search" }>): Promise<void> {
    const { process } = work.place;
    try {
      const value = await this.#ports.onSearch({ query, count });
      process.send({ type: "reply", requestId, ok: true, value });
    } catch (error) {
      process.send({ type: "reply", requestId, ok: false, message: messageOf(error) });
    }
  }

  /** Never rejects. */
  async #answer({ process, projectId }: Place, { requestId, what, input, ...of }: Question): Promise<void> {
    try {
      const value = await this.#ports.onQuestion({ what, input }, { projectId, ...askingOf(of) });
      process.send({ type: "reply", requestId, ok: true, value });
    } catch (error) {
      const hint = error instanceof HallError ? ` ${hintText(error.hint)}` : "";
      process.send({ type: "reply", requestId, ok: false, message: `${messageOf(error)}${hint}` });
    }
  }

  async #waitFor(answer: Promise<ChildAnswer>, work: Work): Promise<ChildAnswer> {
    await this.#waits(work, 1);
    try {
      return await answer;
    } finally {
      await this.#waits(work, -1);
    }
  }

  /** A run that waits leaves its place in the limits to others. */
  async #waits(work: Work, more: 1 | -1): Promise<void> {
    const before = work.waitsFor;
    work.waitsFor += more;
    if (before > 0 !== work.waitsFor > 0) await this.#ports.engine.setWaiting(work.lease, work.waitsFor > 0);
    this.#listeners.onRoom();
  }
}

function isTalk(message: FromProcess): message is Talked {
  return message.type === "answering" || message.type === "answered";
}

function askingOf({ runId, messageId, callId }: Pick<Question, "runId" | "messageId" | "callId">) {
  return { runId, messageId, callId };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
