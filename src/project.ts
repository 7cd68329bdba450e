import { flushCompileCache } from "node:module";
import { setFlagsFromString, startupSnapshot } from "node:v8";
import { knownShape } from "./contract/known-shape.ts";
import { type FromProcess, ToProcess } from "./contract/runs/protocol.ts";
import { bundling } from "./worker/bundles.ts";
import { openProjectAgent } from "./worker/project-agent.ts";
import { projectHost } from "./worker/project-host.ts";
import { warmUp } from "./worker/warm-up.ts";

// With a start-up snapshot all of the above was loaded when the snapshot was made, so nothing there may depend on when and
// where it is loaded.
if (startupSnapshot.isBuildingSnapshot()) {
  warmUp();
  startupSnapshot.setDeserializeMainFunction(serve);
} else serve();

/** The root of a project's process. Runs with the channel that the daemon opens; keys are neither given nor asked for. */
function serve(): void {
  // Without the daemon there is nobody to work for: its journals are whole, and the next daemon goes on from them.
  process.on("disconnect", () => process.exit(0));
  if (!process.connected) process.exit(0);
  // A terminal's Ctrl-C and a service manager's stop reach every process; when this one ends is the daemon's to say.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => undefined);
  const send = bundling((messages: FromProcess[]): void => {
    process.send?.(messages, undefined, undefined, () => undefined);
  });
  const onDone = () => setImmediate(() => process.disconnect());
  const hear = projectHost({ send, openLodger: openProjectAgent, onDone });
  process.on("message", (message) => {
    const known = knownShape(ToProcess, message);
    if (known === undefined) throw new Error("The daemon sent a message that this process does not understand.");
    hear(known);
  });
  // Kept for the next start even if this process is killed. Compiled code is only good for the flags that it was compiled with,
  // Node's own too: that the heap grows in small steps waits until everything is loaded and kept.
  setTimeout(() => {
    flushCompileCache();
    setFlagsFromString("--heap-growing-percent=50");
  }, 1_000).unref();
}
