import type { ModelWait } from "../../contract/documents/budget.ts";
import { OFFLINE_PROVIDER } from "../../contract/documents/config.ts";
import {
  type Delta,
  type ModelAnswer,
  ModelFailure,
  type ModelFailureKind,
  PassingFailure,
} from "../../contract/runs/model-call.ts";
import type { Slots } from "../../workspace/slots.ts";
import type { Pause, ProviderPauses } from "../provider-pauses.ts";
import { type Bill, type CallBudget, isBill, type PaidCall } from "./call-budget.ts";

export interface Caller {
  projectId: string;
  runId?: string | undefined;
  /** It waits for money, the disk or a provider that takes no calls; any other is refused. */
  isPatient?: boolean | undefined;
  signal: AbortSignal;
  onDelta: (delta: Delta) => void;
  /** Given the answer just before its cost is written down, for those who need not wait for that. Must not throw. */
  onAnswer?: ((answer: ModelAnswer) => void) | undefined;
  /** It waits, and for what; undefined when it goes on. */
  onWait?: ((wait: ModelWait | undefined) => void) | undefined;
}

interface AdmissionOptions {
  budget: Pick<CallBudget, "admit" | "room" | "writable">;
  pauses: ProviderPauses;
  /** Of all providers together. */
  slots: Slots;
}

interface Applicant extends Pick<PaidCall, "request" | "model" | "price"> {
  provider: string;
  /** Of its provider. */
  slots: Slots;
}

/** A call that may be sent now, with the places it takes. */
interface Admitted {
  /** undefined: it costs nothing. */
  bill: Bill | undefined;
  release: () => void;
}

/** What a call has to pass before it is sent. While it waits for anything but a place it takes nobody's. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Resolves when there are places for the call, its provider takes calls, and the most it may cost is held for it. */
  async admit({ provider, slots, ...asked }: Applicant, caller: Caller): Promise<Admitted> {
    const { budget, pauses } = this.#options;
    const { projectId, runId, signal } = caller;
    const call = { ...asked, projectId, runId };
    const telling = new WaitTelling(caller);
    const over = {
      quota: () => pauses.over(provider, caller, signal),
      network: () => pauses.over(provider, caller, signal),
      budget: () => budget.room(call, signal),
      disk: () => budget.writable(signal),
    };
    try {
      for (;;) {
        const release = await this.#takePlaces(slots, caller);
        try {
          if (provider === OFFLINE_PROVIDER) return { bill: undefined, release };
          const pause = pauses.standing(provider, caller);
          const outcome: Bill | ModelWait = pause === undefined ? this.#book(call, provider) : waitOf(pause);
          if (isBill(outcome)) return { bill: outcome, release };
          if (pause === undefined) pauses.gaveUp(provider);
          telling.waits(outcome);
          release();
          await over[outcome.reason]();
        } catch (error) {
          release();
          throw error;
        }
      }
    } finally {
      pauses.left(provider, caller);
      telling.goesOn();
    }
  }

  #book(call: PaidCall, provider: string): Bill | ModelWait {
    try {
      return this.#options.budget.admit(call);
    } catch (error) {
      this.#options.pauses.gaveUp(provider);
      throw error;
    }
  }

  async #takePlaces(slots: Slots, { projectId, signal }: Caller): Promise<() => void> {
    const own = await slots.take(projectId, signal);
    try {
      const shared = await this.#options.slots.take(projectId, signal);
      return () => {
        own();
        shared();
      };
    } catch (error) {
      own();
      throw error;
    }
  }
}

/** Ends of a call that no provider decided on: nothing came, and it may have been at work all the same. */
const PAID_WITHOUT_A_WORD = new Set<ModelFailure["kind"]>(["cancelled", "timeout", "broken"]);

/** How much of an answer has come. */
export class Received {
  #bytes: number | undefined;

  count(delta: Delta): Delta {
    this.#bytes ??= 0;
    if (delta.kind === "text" || delta.kind === "thinking") this.#bytes += Buffer.byteLength(delta.text);
    return delta;
  }

  /** undefined when the provider refused it or never had it, and so is not paid. What it had it may have read. */
  paid(failure: ModelFailure): number | undefined {
    if (failure instanceof PassingFailure && failure.isUnsent) return undefined;
    return this.#bytes ?? (PAID_WITHOUT_A_WORD.has(failure.kind) ? 0 : undefined);
  }
}

function waitOf({ provider, until, reason, waitsFor }: Pause): ModelWait {
  return waitsFor === "network"
    ? { reason: "network", text: `'${provider}' is not responding; retrying automatically. ${reason}` }
    : {
        reason: "quota",
        text: `'${provider}' is paused until ${until.toISOString()}, then retried automatically. ${reason}`,
      };
}

/** How a call fails that may not wait. */
const UNSENT: Record<ModelWait["reason"], ModelFailureKind> = {
  budget: "budget",
  quota: "quota",
  network: "quota",
  disk: "broken",
};

/** Tells a caller what it waits for: once, however often that is looked at, until it goes on. */
class WaitTelling {
  readonly #caller: Caller;
  #told: ModelWait | undefined;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Throws when the caller is not one to wait. */
  waits(wait: ModelWait): void {
    if (this.#caller.isPatient !== true) throw new ModelFailure(UNSENT[wait.reason], `Not sent: ${wait.text}`);
    if (this.#told?.reason === wait.reason && this.#told.text === wait.text) return;
    this.#told = wait;
    this.#caller.onWait?.(wait);
  }

  goesOn(): void {
    if (this.#told !== undefined) this.#caller.onWait?.(undefined);
  }
}
