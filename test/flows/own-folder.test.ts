import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { WORKER } from "../harness/hall-with-commands.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const why = here.name === "none" ? ` (skipped: ${here.detail})` : "";

it.skipIf(why !== "")(`commands in a project's own folder never get hold of the hall's files in it${why}`, async () => {
  const hall = await startHall();
  const command = `echo begun > ARTIFACTS/begun; n=0; while [ $n -lt 60 ]; do sed -i 's/Shop/Evil/' PROJECT.json; for f in .tmp-* PROJECT.json PROJECT.md; do echo evil >> "$f"; done; n=$((n+1)); sleep 0.05; done 2>/dev/null; ls -a`;
  await furnish(hall, {
    play: JSON.stringify({ turns: [{ calls: [{ tool: "exec", input: { command } }] }, { text: "Done." }] }),
  });
  await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills: ["read", "write", "exec"] });
  const id = await spawnRun(hall, "play", "Wait for it", WORKER);
  const at = (name: string) => join(hall.workspace, "projects", PROJECT, name);
  await eventually(() => existsSync(at("ARTIFACTS/begun")), Boolean);
  for (const goal of ["one", "two", "three"]) {
    expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { description: goal })).status).toBe(200);
  }
  const said = await hall.call("POST", `/api/projects/${PROJECT}/messages?wait=10`, { text: "Are you there?" });
  expect([said.status, said.body.isOpen]).toEqual([201, false]);
  await hall.call("POST", "/api/knowledge", { text: "Tea is hot.", project: PROJECT });
  await untilOver(hall, id, 30_000);
  expect(readFileSync(at("PROJECT.json"), "utf8")).not.toContain("evil");
  expect(readFileSync(at("PROJECT.md"), "utf8")).not.toContain("evil");

  const { checkpoints } = (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
  const back = `/api/projects/${PROJECT}/checkpoints/${checkpoints.at(-1)?.id}/rollback` as const;
  expect((await hall.call("POST", back, {})).body.restored).toEqual([]);
  expect(readFileSync(at("channel.jsonl"), "utf8")).toContain("Are you there?");
  expect(readFileSync(at("knowledge/conventions.md"), "utf8")).toContain("Tea is hot.");
});
