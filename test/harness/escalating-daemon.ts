import { startDaemon } from "../../src/daemon.ts";
import { escalating } from "./escalating.ts";

/**
 * A daemon in a process of its own whose runs wait for answers. Its parent sends them, and is told where it is and what came of
 * them. Its last word is JSON with more of its options.
 */
const workspace = process.argv[2] ?? "";
const escalations = escalating();
const daemon = await startDaemon({
  workspace,
  port: 0,
  env: {},
  entry: process.argv[3],
  escalations: escalations.open,
  log: () => undefined,
  ...JSON.parse(process.argv[4] ?? "{}"),
});
process.send?.({ url: daemon.url });
process.on("message", ({ runId, output, callId }: { runId: string; output: string; callId: string }) => {
  void escalations.answer(runId, output, callId).then((ok) => process.send?.({ answered: ok }));
});
process.on("disconnect", () => process.exit(1));
