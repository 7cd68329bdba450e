import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { untilNoProcess } from "../harness/processes.ts";
import { held, KEY, makeShop, scriptedConfig, taskOf } from "../harness/scripted-hall.ts";
import { startProvider } from "../harness/scripted-provider.ts";
import { entriesOf, journalOf, untilOver } from "../harness/spawned-runs.ts";

const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };

it("a run that was reminded of its criteria and then killed is not reminded again", async () => {
  const hold = held();
  let isFirstLife = true;
  const provider = await startProvider(async ({ text, results }) => {
    if (text.includes("not in your report")) {
      if (isFirstLife) await hold.opened;
      return { text: "I have nothing to add." };
    }
    if (results.length > 0) return { text: "Done." };
    return { calls: [{ name: "report", input: { summary: "Painted it green." } }] };
  });
  onTestFinished(() => provider.close());
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(scriptedConfig(provider)));
  const first = await killableDaemon(workspace, { env });
  await makeShop(first.hall);
  const task = { title: "Paint the door", acceptanceCriteria: ["It is green"] };
  await first.hall.call("POST", "/api/projects/shop/tasks", task);
  const body = { projectId: "shop", roleId: "coder", taskId: "TASK-001", overrides: { model: "own/m" } };
  const id = (await first.hall.call("POST", "/api/team/spawn", body)).body.sessionId as string;
  expect((await provider.request(2)).text).toContain("1. It is green");
  await first.kill();
  isFirstLife = false;
  hold.open();
  await untilNoProcess(workspace);
  const second = await killableDaemon(workspace, { env });
  expect(await untilOver(second.hall, id)).toMatchObject({ status: "completed" });
  const reminders = entriesOf(journalOf(workspace, id), "message");
  expect(reminders.map(({ id: name }) => name)).toEqual(["held-back-1"]);
  expect((await taskOf(second.hall)).acceptanceCriteria).toEqual([{ text: "It is green", done: false }]);
});
