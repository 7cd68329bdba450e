import { processHost } from "./process-host.ts";
import { runCommandLine } from "./run.ts";

const code = await runCommandLine(process.argv.slice(2), processHost());

// Standard output may still be on its way; what is left open besides must not keep a finished command alive.
// A failed write is told a moment after its callback, and ends the process with a code of its own.
process.stdout.write("", () => process.stderr.write("", () => setImmediate(() => process.exit(code))));
