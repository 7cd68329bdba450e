import type { ModelWait } from "../contract/documents/budget.ts";
import type { Delta, ModelSettings } from "../contract/runs/model-call.ts";
import type { FromProcess, Order } from "../contract/runs/protocol.ts";
import type { ProcessCrash } from "./crash-reports.ts";
import type { HallQuestions } from "./hall-questions.ts";
import type { Work } from "./place.ts";
import type { ProcessExit } from "./process-exit.ts";

/** What a process says of something it was ordered to do, beside model calls and questions. */
export type Said = Exclude<Extract<FromProcess, { orderId: string }>, { type: "llm_request" }>;

/** Those who give one kind of orders, and whom what comes of them is for. */
export interface Party {
  readonly kind: Order["kind"];
  /** What may be asked of the hall in such work, beside what every process may ask. */
  readonly questions: HallQuestions;
  /** Whether its model calls wait for money, or for a quota; else they are refused where others wait. */
  isPatient(work: Work): boolean;
  /** With which settings a model may be asked now, whatever the process says. Throws when none may be asked. */
  settings(work: Work, asked: ModelSettings): ModelSettings;
  /** Makes the call, or answers false: it is refused then. Every call is made unless this is given. */
  ask?(work: Work, call: () => Promise<void>): Promise<boolean>;
  onDelta(work: Work, delta: Delta): void;
  /** The next model call may not be sent for now; undefined when it may. */
  onWait(work: Work, wait: ModelWait | undefined): void;
  hear(work: Work, said: Said): void;
  /** The process is gone, and these of its works with it. What that takes is waited for where a project is stopped. */
  lost(works: Work[], exit: ProcessExit): Promise<void>[];
  /** A process died, and what `lost` of all parties answered is done. */
  crashed?(crash: ProcessCrash): Promise<void>;
  /** After that; also when it was to end. */
  gone?(projectId: string): void;
}
