import type { RunWait } from "./budget.ts";

/** What a run waits for, for as long as it takes: no process has it meanwhile, and a restart changes nothing. */
export interface Parked extends RunWait {
  /** The call whose answer it waits for; without one, it goes on where its journal ends. */
  callId?: string | undefined;
}

/** What comes of a call that was answered later. */
export interface LaterAnswer {
  output: string;
  failed?: boolean | undefined;
}
