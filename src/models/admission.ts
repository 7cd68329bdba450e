import type { ModelWait } from "../contract/budget.ts";
import { OFFLINE_PROVIDER } from "../contract/config.ts";
import { type Delta, ModelFailure, UnsentFailure } from "../contract/model-call.ts";
import { type Bill, type CallBudget, isBill, type PaidCall } from "./call-budget.ts";
import type { ProviderPauses } from "./provider-pauses.ts";
import type { Slots } from "./slots.ts";

export interface Caller {
  projectId: string;
  /** A call for a run waits for money or for a provider's quota, unless it is `hasty`; any other is refused. */
  runId?: string | undefined;
  hasty?: boolean | undefined;
  signal: AbortSignal;
  onDelta: (delta: Delta) => void;
  /** It waits, and for what; undefined when it goes on. */
  onWait?: ((wait: ModelWait | undefined) => void) | undefined;
}

interface AdmissionOptions {
  budget: Pick<CallBudget, "admit" | "room">;
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

/** What a call has to pass before it is sent. While it waits for money or a quota it takes nobody's place. */
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
    for (;;) {
      const release = await this.#takePlaces(slots, caller);
      try {
        if (provider === OFFLINE_PROVIDER) return { bill: undefined, release };
        const pause = pauses.standing(provider);
        const outcome: Bill | ModelWait = pause === undefined ? this.#book(call, provider) : waitOf(pause);
        if (isBill(outcome)) return { bill: outcome, release };
        if (pause === undefined) pauses.gaveUp(provider);
        release();
        await waitFor(outcome, caller, () =>
          outcome.reason === "quota" ? pauses.over(provider, signal) : budget.room(call, signal),
        );
      } catch (error) {
        release();
        throw error;
      }
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

/** Whether it may be put off. */
export function isPatient({ runId, hasty }: Pick<Caller, "runId" | "hasty">): boolean {
  return runId !== undefined && hasty !== true;
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
    if (failure instanceof UnsentFailure) return undefined;
    return this.#bytes ?? (PAID_WITHOUT_A_WORD.has(failure.kind) ? 0 : undefined);
  }
}

function waitOf({ provider, until, reason }: { provider: string; until: Date; reason: string }): ModelWait {
  return {
    reason: "quota",
    text: `'${provider}' is asked again at ${until.toISOString()}, without your doing. ${reason}`,
  };
}

async function waitFor(wait: ModelWait, caller: Caller, over: () => Promise<void>): Promise<void> {
  if (!isPatient(caller)) throw new ModelFailure(wait.reason, `Not sent: ${wait.text}`);
  caller.onWait?.(wait);
  try {
    await over();
  } finally {
    caller.onWait?.(undefined);
  }
}
