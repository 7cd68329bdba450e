import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/http/client.ts";
import { findDaemon } from "../../src/cli/http/connection.ts";
import { startDaemon } from "../../src/daemon.ts";
import { NOBODY } from "../../test/harness/guildhall.ts";
import { startProvider } from "../../test/harness/scripted-provider.ts";
import { breakOneTask, furnishBusyWorkspace, makeBusyRepositories } from "./busy-files.ts";
import { writeBusyQuestions } from "./busy-questions.ts";
import { playRuns, startRuns } from "./busy-runs.ts";
import { fillHall, talk } from "./fill-hall.ts";
import { writeManyTasks } from "./many-tasks.ts";
import { inventPast } from "./past-days.ts";

export const ARCHIVE = "archive";

export interface BusyHall {
  url: string;
  workspace: string;
  client: Client;
  /** A new link that signs one browser in. */
  dashboardLink: () => string;
  stop: () => Promise<void>;
}

export interface BusyChoice {
  /** An empty folder, for the workspace and the repositories. */
  folder: string;
  /** So many tasks in one more project, `archive`. */
  tasks?: number;
  /** How far back runs and costs go. */
  days?: number;
  /** So many open questions besides those that it has anyway. */
  questions?: number;
}

const ANSWER =
  "I have read all of it. Three things need a person; the rest is answered in the same words as last week.";

/** A hall in which much is going on, in this process: see scripts/busy-workspace.ts. */
export async function makeBusyHall({ folder, tasks = 0, days = 0, questions = 0 }: BusyChoice): Promise<BusyHall> {
  const workspace = join(folder, "hall");
  const provider = await startProvider(() => ({ text: ANSWER, usage: { input: 90_000, output: 4_000 } }));
  furnishBusyWorkspace(workspace, provider.url);
  const client = createClient(() => findDaemon(workspace, { env: {}, calledAs: "guildhall" }));
  const first = await start(workspace);
  try {
    await fillHall(client, makeBusyRepositories(join(folder, "repositories")));
    await playRuns(client);
    await talk(client);
    if (tasks > 0) await makeArchive(client);
  } finally {
    await first.stop();
  }
  if (tasks > 0) await writeManyTasks(workspace, ARCHIVE, tasks);
  inventPast(workspace, days);
  writeBusyQuestions(workspace, questions);
  // What was written without the daemon is not in it.
  rmSync(join(workspace, ".guildhall/index.db"), { force: true });
  const { url, dashboardLink, stop } = await start(workspace);
  breakOneTask(workspace);
  await startRuns(client);
  return { url, workspace, client, dashboardLink, stop: () => stop().finally(() => provider.close()) };
}

async function makeArchive({ call }: Client): Promise<void> {
  const description = "Everything that was ever written down, part by part.";
  await call("createProject", { body: { id: ARCHIVE, name: "The archive", description } });
  await call("createAssignment", { params: { id: ARCHIVE }, body: { roleId: "archivist" } });
}

function start(workspace: string) {
  const log = (entry: { level: string; message: string }) => {
    if (entry.level !== "info") console.error(`${entry.level}: ${entry.message}`);
  };
  return startDaemon({ workspace, port: 0, env: { OLLAMA_HOST: NOBODY }, log });
}
