import { beforeAll, expect, it } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventsOf } from "../harness/board.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { entriesOf, furnish, journalOf, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { BOT_TOKEN, OWNER, startTelegram, type TelegramServer } from "../harness/telegram-api.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const later = afterAllTests();
const look = { calls: [{ tool: "list", input: { path: "." } }] };
const playbooks = {
  once: JSON.stringify({ turns: [look, { text: "Done." }] }),
  often: JSON.stringify({ turns: [...Array.from({ length: 8 }, () => look), { text: "Done." }] }),
};
const ROUNDS = 3;
const RUNS = 4;

let hall: Hall;
let telegram: TelegramServer;

beforeAll(async () => {
  telegram = await startTelegram(0, later);
  const config = { channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } } };
  const env = { TELEGRAM_BOT_TOKEN: BOT_TOKEN, OLLAMA_HOST: NOBODY };
  hall = await startHall(undefined, { config, env, later });
  await furnish(hall, playbooks);
  await hall.call("POST", "/api/roles", { id: "looker", name: "Looker", skills: ["list"], ask: ["list"] });
});

const spawn = (playbook: string) => spawnRun(hall, playbook, "Look", { roleId: "looker" });
const resultsOf = (id: string) => entriesOf(journalOf(hall.workspace, id), "result").map(({ output }) => output);
const resolve = (id: string, answer: string) => hall.call("POST", `/api/escalations/${id}/resolve`, { answer });

it("a permission that is answered over Telegram, the command line and the API at once is decided by one of them", {
  timeout: 240_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const run = await spawn("once");
    const { id } = await pendingOf(hall, run);
    const message = await eventually(
      () => telegram.keyboards().find(({ text, buttons }) => text.includes(`${id} · `) && buttons.length > 3),
      (found) => found !== undefined,
    );
    telegram.press(message?.messageId ?? 0, message?.buttons[0]?.data ?? "");
    const [typed, sent] = await Promise.all([
      commandLine(["escalation", "answer", id, "no"], { workspace: hall.workspace }),
      resolve(id, "run"),
    ]);
    await untilOver(hall, run);
    const { answer } = (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
    expect([answer === "no", answer === "run"]).toEqual([typed.code === 0, sent.status === 200]);
    expect(["once", "run", "no"]).toContain(answer);
    expect(resultsOf(run)).toEqual([
      expect.stringMatching(answer === "no" ? /^The person refused/ : /^(?!The person)/),
    ]);
    const told = (await eventsOf(hall)).filter(
      ({ type, subject }) => type === "escalation.resolved" && subject.id === id,
    );
    expect(told).toHaveLength(1);
    const { grants } = (await hall.call("GET", "/api/grants?all=true")).body;
    const given = grants.filter(({ from }) => from === id).map(({ scope, uses }) => [scope, uses]);
    expect(given).toEqual(answer === "no" ? [] : [[answer, 1]]);
  }
});

it("a grant that is revoked while calls use it allows none afterwards, and each call that was made is listed", {
  timeout: 240_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const runs = [await spawn("often")];
    expect((await resolve((await pendingOf(hall, runs[0] ?? "")).id, "always")).status).toBe(200);
    runs.push(...(await Promise.all(Array.from({ length: RUNS - 1 }, () => spawn("often")))));
    const [grant] = await eventually(
      async () => (await hall.call("GET", "/api/grants")).body.grants,
      (found) => found.some(({ uses }) => uses > 2),
    );
    expect((await hall.call("DELETE", `/api/grants/${grant?.id}`)).status).toBe(200);
    // What had not been allowed by then asks, or was refused because its permission is gone.
    for (const id of runs) {
      const run = await eventually(
        () => runOf(hall, id),
        (found) => isOver(found) || found.waitingFor === "answer",
      );
      if (!isOver(run)) await hall.call("POST", `/api/runs/${id}/stop`);
      await untilOver(hall, id);
    }
    const events = (await eventsOf(hall)).filter(({ subject }) => subject.id === grant?.id);
    const types = events.map(({ type }) => type);
    expect(types.slice(types.indexOf("grant.revoked"))).toEqual(["grant.revoked"]);
    const made = runs.flatMap(resultsOf).filter((output) => !/^The (?:person|permission)/.test(output));
    expect(types.filter((type) => type === "permission.used")).toHaveLength(made.length);
  }
});
