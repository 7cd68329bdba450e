import { HallError } from "../../contract/errors.ts";
import { findDaemon, isAlive } from "../connection.ts";
import type { Action } from "../context.ts";

const PATIENCE_MS = 15_000;
const STEP_MS = 25;

export const down: Action<"down"> = async (_, { workspace, host, call, output }) => {
  const { pid } = findDaemon(workspace, host.env);
  const answer = await call("stopDaemon", {});
  for (let waited = 0; isAlive(pid); waited += STEP_MS) {
    if (waited >= PATIENCE_MS) throw stillThere(pid);
    await host.pause(STEP_MS);
  }
  output.answer(answer, () => "Guildhall is down.");
  return 0;
};

function stillThere(pid: number): HallError {
  const message = `The daemon (process ${pid}) is still stopping after ${PATIENCE_MS / 1000} seconds.`;
  return new HallError("stopping", message, { hint: `It finishes its writes; 'kill ${pid}' asks it once more.` });
}
