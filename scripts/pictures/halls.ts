import { join } from "node:path";
import { createClient } from "../../src/cli/http/client.ts";
import { findDaemon } from "../../src/cli/http/connection.ts";
import { startDaemon } from "../../src/daemon.ts";
import { NOBODY } from "../../test/harness/guildhall.ts";
import type { BusyHall } from "../busy/busy-hall.ts";

/** A hall as a newcomer has it. */
export async function makeEmptyHall(folder: string): Promise<BusyHall> {
  const workspace = join(folder, "hall");
  const daemon = await startDaemon({ workspace, port: 0, env: { OLLAMA_HOST: NOBODY }, log: () => undefined });
  const client = createClient(() => findDaemon(workspace, { env: {}, calledAs: "guildhall" }));
  return { url: daemon.url, workspace, client, dashboardLink: daemon.dashboardLink, stop: () => daemon.stop() };
}
