import { z } from "zod";
import type { Files } from "../../store/files/files.ts";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import { REACH_FILE } from "../../workspace/layout.ts";

const Notification = z.strictObject({
  /** Also its id: the same notification has it for every attempt. */
  at: z.string(),
  ids: z.array(z.string()),
});
export type Notification = z.infer<typeof Notification>;

const State = z.strictObject({
  /** Of the last notification. */
  last: z.string().optional(),
  /** Begun and perhaps not finished: after a crash it is finished with the same id, and not begun again. */
  sending: Notification.optional(),
});
type State = z.infer<typeof State>;

/** What the notifications of the person have to remember beside the documents. */
export class ReachState {
  readonly #files: Pick<Files, "exists" | "text" | "replace">;
  #state: State;

  constructor(files: Pick<Files, "exists" | "text" | "replace">) {
    this.#files = files;
    this.#state = load(files);
  }

  get last(): string | undefined {
    return this.#state.last;
  }

  get sending(): Notification | undefined {
    return this.#state.sending;
  }

  /** Durable when it resolves. */
  begin(sending: Notification): Promise<void> {
    return this.#save({ ...this.#state, sending });
  }

  finish({ at }: Notification): Promise<void> {
    return this.#save({ last: at });
  }

  async #save(state: State): Promise<void> {
    await this.#files.replace(REACH_FILE, documentText(state));
    this.#state = state;
  }
}

/** Notes that can't be read are as good as none: the documents say when the person was notified. */
function load(files: Pick<Files, "exists" | "text">): State {
  return readDocument(files, REACH_FILE, State) ?? {};
}
