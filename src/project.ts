import { flushCompileCache, registerHooks } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { FromProcess } from "./contract/runs/protocol.ts";

// Without the daemon there is nobody to work for: its journals are whole, and the next daemon goes on from them. Heeded
// before anything else is loaded, so that a daemon that dies meanwhile leaves nobody behind.
process.on("disconnect", () => process.exit(0));
// A terminal's Ctrl-C and a service manager's stop reach every process; when this one ends is the daemon's to say.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);

// Zod brings its messages in 60 languages, one file each; nobody here reads another than English.
registerHooks({
  load: (url, context, next) =>
    url.endsWith("/zod/v4/locales/index.js")
      ? { format: "module", source: "", shortCircuit: true }
      : next(url, context),
});

/** The root of a project's process. Runs with the channel that the daemon opens; keys are neither given nor asked for. */
const [{ projectHost }, { bundling }, { ToProcess }, { knownShape }] = await Promise.all([
  import("./worker/project-host.ts"),
  import("./worker/bundles.ts"),
  import("./contract/runs/protocol.ts"),
  import("./contract/known-shape.ts"),
]);
const send = bundling((messages: FromProcess[]): void => {
  process.send?.(messages, undefined, undefined, () => undefined);
});
const openLodger: Parameters<typeof projectHost>[0]["openLodger"] = async (shop, orderId) =>
  (await import("./worker/project-agent.ts")).openProjectAgent(shop, orderId);
const hear = projectHost({ send, openLodger, onDone: () => setImmediate(() => process.disconnect()) });
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
