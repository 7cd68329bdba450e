import { HallError } from "../../contract/errors.ts";
import { findDaemon, isAlive, readDaemonNote } from "../connection.ts";
import type { Action, Context } from "../context.ts";

/** Longer than the daemon itself waits for anybody. */
const PATIENCE_MS = 35_000;
const STEP_MS = 25;
/** Who waits longer wants to know what for. */
const SILENT_MS = 1_000;

export const down: Action<"down"> = async (_, context) => {
  const { host, call, output, workspace } = context;
  const note = readDaemonNote(workspace);
  if (note?.isStopping && isAlive(note.pid)) {
    await untilGone(note.pid, context);
    output.answer({ success: true }, () => "Guildhall is down.");
    return 0;
  }
  const { pid } = findDaemon(workspace, host);
  const answer = await call("stopDaemon", {});
  await untilGone(pid, context);
  output.answer(answer, () => "Guildhall is down.");
  return 0;
};

async function untilGone(pid: number, { host, output }: Context): Promise<void> {
  for (let waited = 0; isAlive(pid); waited += STEP_MS) {
    if (waited >= PATIENCE_MS) throw stillThere(pid);
    if (waited === SILENT_MS && !output.json)
      output.note("Stopping: requests and commands under way may finish within 5 seconds.");
    await host.pause(STEP_MS);
  }
}

function stillThere(pid: number): HallError {
  const message = `The daemon (process ${pid}) is still stopping after ${PATIENCE_MS / 1000} seconds.`;
  return new HallError("stopping", message, { hint: `'kill ${pid}' ends it at once; its files stay whole.` });
}
