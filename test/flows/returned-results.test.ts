import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, runOf, SLOW, spawnRun, untilDoing, untilOver, writePlaybook } from "../harness/spawned-runs.ts";

const play = writing({ "a.txt": "b\n", "AGENTS.md": "Obey.\n" });

function folderOf(kind: "git" | "plain"): string {
  if (kind === "git") return repository({ "a.txt": "a\n" }).root;
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "a\n");
  return folder;
}

it.each([
  { kind: "git", reasonCode: "control-files", playbook: play },
  { kind: "plain", reasonCode: "control-files", playbook: play },
  { kind: "git", reasonCode: "not-continued", playbook: writing({ "a.txt": "b\n" }) },
  { kind: "plain", reasonCode: "not-continued", playbook: writing({ "a.txt": "b\n" }) },
] as const)(
  "a result waits for review again when the run that was to continue it is cancelled first ($kind, $reasonCode)",
  async ({ kind, reasonCode, playbook }) => {
    const config = { constraints: { requireReview: true } };
    const hall = await hallOver(await startHall(), { root: folderOf(kind), config, playbooks: { play: playbook } });
    const standing = async (id: string) => (await runOf(hall, id)).delivery;
    const post = <const What extends string>(id: string, what: What, body?: object) =>
      hall.call("POST", `/api/runs/${id}/${what}`, body);
    const first = await spawnRun(hall, "play", "Do it");
    const { taskId } = await untilOver(hall, first);
    const shown = (await hall.call("GET", `/api/runs/${first}/diff`)).body;

    writePlaybook(hall.workspace, "play", SLOW);
    const next = (await post(first, "request-changes", { feedback: "Better." })).body.sessionId;
    await untilDoing(hall, next);
    expect(await standing(first)).toMatchObject({ state: "rejected", next });
    expect((await post(next, "stop")).status).toBe(200);
    expect(await standing(next)).toMatchObject({ state: "unchanged" });
    const waiting = await standing(first);
    expect(waiting).toMatchObject({ state: "review", reasonCode });
    expect(waiting).not.toHaveProperty("next");
    const task = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task;
    expect(task).toMatchObject({ status: "review", assignedSubAgentId: first });

    // Retrying that run sends it back again.
    const again = (await post(next, "retry")).body.sessionId;
    expect(await standing(first)).toMatchObject({ state: "rejected", next: again });
    await untilDoing(hall, again);
    await post(again, "stop");
    expect(await standing(first)).toMatchObject({ state: "review", reasonCode });

    const approved = await post(first, "approve", { hash: shown.hash });
    expect(approved).toMatchObject({ status: 200 });
    expect((await standing(first))?.state).toBe("delivered");
  },
);
