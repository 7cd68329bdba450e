import { builtDaemon } from "./built-program.ts";

/** A daemon in a process of its own, which tells its parent where it is. Its last word is JSON with more of its options. */
const { startDaemon } = await builtDaemon();
const daemon = await startDaemon({
  workspace: process.argv[2] ?? "",
  port: 0,
  env: {},
  entry: process.argv[3],
  log: () => undefined,
  ...JSON.parse(process.argv[4] ?? "{}"),
});
process.send?.({ url: daemon.url });
process.on("disconnect", () => process.exit(1));
