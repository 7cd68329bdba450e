import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { startPages } from "../harness/page-server.ts";
import { projectProcesses } from "../harness/processes.ts";
import { entriesOf, furnish, journalOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const overrides = { model: "offline/play", skills: ["web_fetch"] };

it.skipIf(process.platform !== "linux")(
  "a page is asked for when the decision is on disk, and again when the process was killed meanwhile (needs /proc)",
  async () => {
    const seen: number[] = [];
    const { host } = await startPages({
      "/": (_request, response) => {
        const [journal = []] = runs.map((id) => journalOf(hall.workspace, id));
        seen.push(entriesOf(journal, "answer").length);
        if (seen.length > 1) response.writeHead(200, { "content-type": "text/plain" }).end("late but there");
        else for (const pid of projectProcesses(hall.workspace)) process.kill(pid, "SIGKILL");
      },
    });
    const turns = [
      { calls: [{ tool: "web_fetch", input: { url: `http://${host}/` } }] },
      { text: "{{last.web_fetch}}" },
    ];
    const hall = await furnish(await startHall(undefined, { config: { web: { allow: [host] } } }), {
      play: JSON.stringify({ turns }),
    });
    const runs = [await spawnRun(hall, "play", "Read", { overrides })];
    const run = await untilOver(hall, runs[0] as string);
    expect([run.status, run.error]).toEqual(["completed", undefined]);
    expect(run.result?.output).toContain("late but there");
    expect(seen).toEqual([1, 1]);
    expect(entriesOf(journalOf(hall.workspace, run.id), "result")).toHaveLength(1);
  },
);

it("a run that waits for a page is cancelled at once", async () => {
  const { host, requests } = await startPages({ "/": () => undefined });
  const play = JSON.stringify({ turns: [{ calls: [{ tool: "web_fetch", input: { url: `http://${host}/` } }] }] });
  const hall = await furnish(await startHall(undefined, { config: { web: { allow: [host] } } }), { play });
  const id = await spawnRun(hall, "play", "Read", { overrides });
  await expect.poll(() => requests.length).toBe(2);
  expect((await hall.call("POST", `/api/runs/${id}/stop`)).status).toBe(200);
  expect(await untilOver(hall, id)).toMatchObject({ status: "cancelled" });
});
