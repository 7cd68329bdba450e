import type { Clone } from "../../../../src/contract/documents/clone.ts";
import { advice } from "../../../../src/contract/words/hint.ts";
import { call } from "../../api/client.ts";
import { Failure } from "../../api/failure.ts";
import { randomKey } from "../../api/repeats.ts";

const LOOK_AGAIN_MS = 400;

const PHASES: Record<Clone["phase"], string> = {
  connecting: "connecting",
  receiving: "receiving",
  resolving: "resolving",
  checkout: "checking out",
};

export interface CloneOrder {
  url: string;
  /** The folder that the daemon chooses, unless given. */
  folder?: string | undefined;
}

function failed({ failure }: Clone): Failure {
  const { message = "Clone cancelled.", hint } = failure ?? {};
  return new Failure({ code: "clone_failed", message, status: 0, ...(hint && { hint: advice(hint) }) });
}

/** Clones, tells how far it is, and answers the folder. An abort cancels it, and nothing is left of it. */
export async function cloneRepository(
  order: CloneOrder,
  { onProgress, signal }: { onProgress: (text: string) => void; signal: AbortSignal },
): Promise<Clone> {
  let { clone } = await call("startClone", { body: order, idempotencyKey: randomKey() });
  const params = { id: clone.id };
  while (clone.state === "running") {
    onProgress(`${PHASES[clone.phase]} ${clone.percent}%`);
    await pause(signal);
    ({ clone } = signal.aborted ? await call("cancelClone", { params }) : await call("getClone", { params }));
  }
  if (clone.state !== "done") throw failed(clone);
  return clone;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, LOOK_AGAIN_MS);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    if (signal.aborted) done();
    else signal.addEventListener("abort", done);
  });
}
