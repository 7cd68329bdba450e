import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import {
  bookOf,
  entriesOf,
  furnish,
  journalOf,
  PROJECT,
  runOf,
  SLOW,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";

const PLAYBOOKS = {
  quiet: 'turns:\n  - text: ""\n',
  long: "turns:\n  - fail: {kind: too_long, times: 99}\n",
  failing: "turns:\n  - fail: {kind: refused, times: 99}\n",
  turns: `turns:\n${[1, 2, 3].map((n) => `  - calls: [{tool: list, input: {path: "${".".repeat(n % 2)}"}}]\n`).join("")}  - text: Done.\n`,
  slow: SLOW,
};
const CONFIG = { limits: { turns: 2 } };

const endedEvent = async (hall: Hall, id: string) => {
  const { events } = (await hall.call("GET", "/api/events/log?tail=1000&type=run.ended")).body;
  return events.find(({ subject }: { subject: { id: string } }) => subject.id === id);
};

describe("the cause of a run's end", { timeout: 60_000 }, () => {
  it("is the same code in the run, its journal and book, the event, the spawn's answer and the command line", async () => {
    const hall = await furnish(await startHall(undefined, { config: CONFIG }), PLAYBOOKS);
    for (const [playbook, cause] of [
      ["quiet", "silent"],
      ["long", "context"],
      ["failing", "provider"],
      ["turns", "turns"],
    ] as const) {
      const run = await untilOver(hall, await spawnRun(hall, playbook, playbook));
      expect(run, playbook).toMatchObject({ status: "failed", cause, error: expect.any(String) });
      expect(entriesOf(journalOf(hall.workspace, run.id), "ended").map(({ end }) => end)).toMatchObject([{ cause }]);
      expect(bookOf(hall.workspace, run.id).at(-1)).toMatchObject({ type: "settled", run: { cause } });
      expect((await endedEvent(hall, run.id))?.after).toMatchObject({ cause });
      const { body } = await hall.call("GET", `/api/team/spawn/${run.id}/status`);
      expect(body).toMatchObject({ cause });
      const shown = await commandLine(["run", "show", run.id, "--json", "--workspace", hall.workspace]);
      expect(JSON.parse(shown.stdout).run).toMatchObject({ cause });
    }
    const { needsMe } = (await hall.call("GET", "/api/now")).body;
    expect(needsMe.map(({ run }) => run?.cause).sort()).toEqual(["context", "provider", "silent", "turns"]);
  });

  it("tells a run that was stopped from one whose working folder is gone", async () => {
    const folder = temporaryFolder();
    const hall = await furnish(await startHall(), PLAYBOOKS);
    const stopped = await spawnRun(hall, "slow", "Stopped");
    await untilDoing(hall, stopped);
    await hall.call("POST", `/api/runs/${stopped}/stop`);
    expect(await untilOver(hall, stopped)).toMatchObject({ status: "cancelled", cause: "cancelled" });

    await hall.call("POST", "/api/projects", { id: "away", name: "Away", workdir: folder });
    const id = await spawnRun(hall, "slow", "No folder", { projectId: "away" });
    await untilDoing(hall, id);
    await hall.call("POST", "/api/projects/away/move", { status: "suspended" });
    rmSync(folder, { recursive: true });
    await hall.call("POST", "/api/projects/away/move", { status: "active" });
    expect(await untilOver(hall, id)).toMatchObject({ status: "failed", cause: "folder" });
  });

  it("is absent of a run whose lines are from before causes were recorded, which keeps its error", async () => {
    const first = await furnish(await startHall(), PLAYBOOKS);
    const { id, error } = await untilOver(first, await spawnRun(first, "quiet", "Old"));
    await first.stop();
    const book = join(first.workspace, `projects/${PROJECT}/runs/index.jsonl`);
    writeFileSync(book, readFileSync(book, "utf8").replaceAll('"cause":"silent",', ""));
    const next = await startHall(first.workspace);
    const run = await runOf(next, id);
    expect([run.status, run.error, run.cause]).toEqual(["failed", error, undefined]);
  });
});
