import type { Clone } from "../../contract/documents/clone.ts";
import { HallError } from "../../contract/errors.ts";
import type { Context } from "../context.ts";
import { oneLine } from "../text/plain-text.ts";

const LOOK_AGAIN_MS = 300;

const PHASES: Record<Clone["phase"], string> = {
  connecting: "Connecting",
  receiving: "Receiving objects",
  resolving: "Resolving deltas",
  checkout: "Checking out files",
};

/** Clones and shows the progress on standard error. Ctrl-C cancels it and leaves nothing behind. Throws when it fails. */
export async function cloneRepository(
  { call, host, output }: Context,
  given: { url: string; folder?: string | undefined },
): Promise<Clone> {
  let { clone } = await call("startClone", { body: given });
  const { id } = clone;
  let isCancelled = false;
  host.onInterrupt(() => {
    isCancelled = true;
  });
  output.note(`Cloning ${oneLine(clone.url)} into ${oneLine(clone.folder)}`);
  const show = progressLine(host.err);
  try {
    while (clone.state === "running" && !isCancelled) {
      show(clone);
      await host.time.pause(LOOK_AGAIN_MS);
      ({ clone } = await call("getClone", { params: { id } }));
    }
    if (clone.state === "running") ({ clone } = await call("cancelClone", { params: { id } }));
  } finally {
    host.onInterrupt(undefined);
    if (host.err.isTerminal) host.err.write("\r\u001b[K");
  }
  if (clone.state === "done") return clone;
  const { message = "Canceled. Nothing was cloned.", hint } = clone.failure ?? {};
  throw new HallError("clone_failed", message, hint === undefined ? {} : { hint });
}

/** At a terminal one line that overwrites itself; otherwise a line for each phase. */
function progressLine(err: Context["host"]["err"]): (clone: Clone) => void {
  let last = "";
  return ({ phase, percent }) => {
    const text = err.isTerminal ? `${PHASES[phase]}: ${percent} %` : PHASES[phase];
    if (text === last) return;
    last = text;
    err.write(err.isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
}
