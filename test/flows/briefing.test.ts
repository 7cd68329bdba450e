import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { BOT_TOKEN, OWNER, startTelegram, type TelegramServer } from "../harness/telegram-api.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { type Receiver, startReceiver } from "../harness/webhook-receiver.ts";
import { refused, wanted } from "../harness/workspace.ts";

const HOUR_MS = 3_600_000;
const later = afterAllTests();
const ENV = { OLLAMA_HOST: NOBODY, TELEGRAM_BOT_TOKEN: BOT_TOKEN, HOOK_SECRET: "signed" };
let ahead = Date.parse("2031-03-10T05:00:00Z") - Date.now();
const clock = () => new Date(Date.now() + ahead);
let [hall, telegram, hook, slack] = [] as unknown as [Hall, TelegramServer, Receiver, Receiver];
const of = (receiver: Receiver) => receiver.received.filter(({ text }) => text.includes("Briefing for"));
const told = () => telegram.sent().filter((text) => text.startsWith("Briefing for"));
const briefing = async (day = "today") => wanted(200, hall.call("GET", `/api/briefings/${day}`));
/** Something happens, so that the daemon looks at its clock. */
const nudge = () => wanted(201, hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Something else" }));
const daily = (day: string) => join(hall.workspace, `daily/${day}.md`);

const start = (workspace?: string) => {
  const config = {
    briefing: { time: "08:00", timezone: "Europe/Berlin" },
    notify: { url: hook.url, secretEnv: "HOOK_SECRET", slackUrl: slack.url },
    channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
  };
  return startHall(workspace, { clock, config, env: ENV, later });
};

beforeAll(async () => {
  [telegram, hook, slack] = [
    await startTelegram(0, later),
    await startReceiver(0, later),
    await startReceiver(0, later),
  ];
  hall = await start();
  await furnish(hall, { ok: "turns:\n  - text: Done.\n", bad: "turns:\n  - fail: overloaded\n" });
  await briefing();
});

it("says so on a day without anything, and refuses what is no day", async () => {
  const { briefing: today, text } = await briefing();
  expect(today).toMatchObject({ day: "2031-03-10", timezone: "Europe/Berlin", isEmpty: true });
  expect(text).toContain("Nothing happened, and nothing is waiting for you.");
  for (const day of ["yesterday", "2031-02-30", "2031-3-1", "2031-13-01", "%2e%2e"])
    expect((await hall.call("GET", `/api/briefings/${day}`)).status).toBeGreaterThanOrEqual(400);
  const { message } = await refused("invalid", hall.call("GET", "/api/briefings/2031-02-30"));
  expect(message).toContain("day: must be a day, such as 2026-03-01.");
  expect((await refused("invalid", hall.call("GET", "/api/briefings/2031-03-11"))).message).toContain("after today");
});

it("tells what was done and what is needed, each with its record, and writes the file of the day once [S4-BRIEF-01] [S4-BRIEF-02] [S4-BRIEF-03] [S4-BRIEF-04] [S4-BRIEF-05]", async () => {
  const run = await spawnRun(hall, "ok", "Paint the 🚪 door");
  await untilOver(hall, run);
  const { task } = await wanted(
    201,
    hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Implement token blacklist" }),
  );
  const ask = (type: string, question: string, more: object = {}) =>
    wanted(201, hall.call("POST", "/api/escalations", { type, question, projectId: PROJECT, ...more }));
  await ask("decision", "Redis or Memcached for the blacklist?", {
    blocksTask: task.id,
    suggestedAnswers: [{ label: "Redis", description: "persistent" }, { label: "Memcached" }],
  });
  await ask("blocker", "Need the client secret <!-- /guildhall:briefing -->");
  await ask("question", "Should admins bypass the limit?");
  const plan = { title: "Token blacklist", goals: ["Tokens can be revoked"] };
  const { initiative } = await wanted(201, hall.call("POST", `/api/projects/${PROJECT}/initiatives`, plan));
  await ask("approval", "Is the plan complete?", { initiative: initiative.slug });
  const { briefing: today, text } = await eventually(
    () => briefing(),
    ({ briefing: { needs } }) => Object.values(needs).every(({ count }) => count > 0),
  );
  expect(today.done.runs).toMatchObject([
    { id: run, title: "Paint the 🚪 door", status: "completed", taskId: "TASK-001" },
  ]);
  expect(today.needs.decisions).toMatchObject({
    count: 1,
    items: [
      {
        tag: `[${PROJECT}]`,
        suggested: { label: "Redis", reason: "persistent" },
        answers: ["Redis", "Memcached"],
        blocks: { kind: "task", taskId: task.id, title: "Implement token blacklist" },
      },
    ],
  });
  expect(text).toContain(
    `DECISIONS (1)\n  [${PROJECT}] Redis or Memcached for the blacklist?\n    Suggested: Redis (persistent)\n    Blocks: ${task.id} "Implement token blacklist"\n`,
  );
  expect(text).toMatch(
    /BLOCKERS \(1\)\n[\s\S]*QUESTIONS \(1\)\n[\s\S]*APPROVALS \(1\)\n.*Is the plan complete\?\n +Details: \/projects\/shop\/initiatives\/token-blacklist/,
  );
  const shown = await commandLine(["briefing"], { workspace: hall.workspace });
  expect(shown.stdout).toContain("DECISIONS (1)");
  const [item] = today.needs.decisions.items;
  await wanted(200, hall.call("POST", `/api/escalations/${item?.id}/resolve`, { answer: "Redis" }));
  expect((await briefing()).briefing).toMatchObject({
    needs: { decisions: { count: 0 } },
    done: { counts: { answered: 1 } },
  });
  // Made at first, before anything happened.
  expect(readFileSync(daily("2031-03-10"), "utf8")).toContain("Nothing happened");
});

it("is sent once a day at its hour over every channel, also across a restart [S4-BRIEF-06] [S4-SCOPE-11]", async () => {
  ahead += 27 * HOUR_MS;
  await nudge();
  await eventually(
    async () => [told(), of(hook), of(slack)],
    (all) => all.every(({ length }) => length === 1),
  );
  expect(told()[0]).toContain("APPROVALS (1)");
  const [signed] = of(hook);
  expect(signed?.body).toMatchObject({
    event: "briefing.created",
    briefing: { day: "2031-03-11", counts: { decisions: 0, approvals: 1 } },
  });
  expect(signed?.headers["x-guildhall-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(of(slack)[0]?.body).toEqual({ text: expect.stringContaining("Briefing for 2031-03-11") });
  const file = readFileSync(daily("2031-03-11"), "utf8");
  expect(file).toContain("### APPROVALS (1)");
  expect(file.match(/<!-- \/guildhall:briefing -->/g)).toHaveLength(1);
  await nudge();
  await hall.stop();
  hall = await start(hall.workspace);
  await nudge();
  const { briefing: yesterday } = await briefing("2031-03-10");
  expect(yesterday.done.counts).toMatchObject({ completed: 1, answered: 1 });
  expect([told(), of(hook), of(slack)].map(({ length }) => length)).toEqual([1, 1, 1]);
});

it("is made up for once after the daemon was off for three days, and leaves an edited file alone", async () => {
  const edited = readFileSync(daily("2031-03-11"), "utf8");
  await hall.stop();
  ahead += 72 * HOUR_MS;
  const own = "# My day\n\n<!-- guildhall:briefing -->\nHalf of it";
  writeFileSync(daily("2031-03-14"), own);
  hall = await start(hall.workspace);
  await eventually(
    async () => told(),
    ({ length }) => length === 2,
  );
  expect(told()[1]).toContain("Briefing for 2031-03-14");
  expect(readFileSync(daily("2031-03-14"), "utf8")).toBe(own);
  expect(readFileSync(daily("2031-03-11"), "utf8")).toBe(edited);
  expect(existsSync(daily("2031-03-12"))).toBe(false);
  const { problems } = await wanted(200, hall.call("GET", "/api/problems"));
  expect(problems).toMatchObject([{ file: "daily/2031-03-14.md", severity: "warning" }]);
  // A clock that is set back finds the day made.
  ahead -= 24 * HOUR_MS;
  await nudge();
  await nudge();
  expect(told()).toHaveLength(2);
});
