import { Worker } from "node:worker_threads";
import { programFile } from "../../program.ts";
import { withoutUnseen } from "./content.ts";
import { WebRefusal } from "./web-refusal.ts";

export interface ReadablePage {
  title: string;
  markdown: string;
}

const HEAP_MB = 256;

/**
 * The main content of a page as Markdown. Done in a thread of its own with little memory: a page that is made to take
 * for ever, or to overflow the stack, costs its own thread and not the project's process; and the parser takes no memory
 * while nobody reads pages.
 */
export function readablePage(html: string, url: URL, signal: AbortSignal): Promise<ReadablePage> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ReadablePage>();
  const worker = new Worker(programFile("agent/web/page-reader"), {
    workerData: { html, url: url.href },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    env: {},
    stdout: true,
    stderr: true,
  });
  const tooHard = () => reject(new WebRefusal("the page is too large or too complex to convert"));
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.once("message", ({ title, markdown }: ReadablePage) =>
    resolve({ title: withoutUnseen(title), markdown: withoutUnseen(markdown) }),
  );
  worker.once("error", tooHard);
  worker.once("exit", tooHard);
  return promise.finally(() => {
    signal.removeEventListener("abort", abort);
    return worker.terminate();
  });
}
