import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { ageFolder } from "../harness/aged-folder.ts";
import { eventsOf } from "../harness/board.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { models } from "../harness/paid-calls.ts";
import { type PersonsRepository, repositoryAt } from "../harness/repository.ts";
import { KEY, makeShop, scriptedConfig } from "../harness/scripted-hall.ts";
import { type ScriptedProvider, type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { branchOf, runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";
import { BOT_TOKEN, OWNER, startTelegram, type TelegramServer } from "../harness/telegram-api.ts";
import { afterAllTests, temporaryFolder } from "../harness/temporary-folder.ts";

const DOLLAR = { input: 19_800, output: 1_000 };
const later = afterAllTests();
let hall: Hall;
let telegram: TelegramServer;
let provider: ScriptedProvider;
let repository: PersonsRepository;

const script = ({ body, turns }: SeenRequest): Turn => {
  const text = JSON.stringify(body);
  if (text.includes("Costs"))
    return turns < 4
      ? { calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }], usage: DOLLAR }
      : { text: "Done." };
  const file = /Write ([a-z]\d)/.exec(text)?.[1] ?? "x";
  return turns === 0
    ? { calls: [{ name: "write", input: { path: `${file}.txt`, content: file } }] }
    : { text: "Done." };
};

const setup = () => ({
  config: scriptedConfig(provider, {
    ...{ models, budget: { runUsd: null, dayUsd: null }, projects: { suspendAfterDays: 7 } },
    channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
  }),
  env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY, TELEGRAM_BOT_TOKEN: BOT_TOKEN },
});

beforeAll(async () => {
  telegram = await startTelegram(0, later);
  provider = await startProvider(script);
  later(() => provider.close());
  hall = await startHall(undefined, { ...setup(), later });
  await makeShop(hall);
  repository = repositoryAt(temporaryFolder(later));
  repository.git("init", "--quiet", "--initial-branch=main");
  repository.git("commit", "--quiet", "--allow-empty", "-m", "First");
  const review = { constraints: { requireReview: true } };
  await hall.call("POST", "/api/projects", { id: "tide", name: "Tide", workdir: repository.root, config: review });
  await hall.call("POST", "/api/projects", { id: "mill", name: "Mill", config: { budget: { runUsd: 2.5 } } });
  await hall.call("POST", "/api/projects", { id: "rest", name: "Rest" });
}, 60_000);

async function spawn(projectId: string, title: string, skills: string[]): Promise<string> {
  const body = { projectId, roleId: "coder", task: { title }, overrides: { model: "own/m", skills } };
  return (await hall.call("POST", "/api/team/spawn", body)).body.sessionId;
}
const written = async (name: string): Promise<string> => {
  const id = await spawn("tide", `Write ${name}`, ["read", "write"]);
  await untilOver(hall, id);
  return `review-${id}`;
};
const shown = (id: string, after = 0) =>
  eventually(
    () =>
      telegram
        .keyboards()
        .findLast(
          ({ text, buttons, messageId }) => text.includes(`${id} · `) && buttons.length > 2 && messageId > after,
        ),
    (message) => message !== undefined,
  );
const toasts = () =>
  telegram.calls.filter(({ method }) => method === "answerCallbackQuery").map(({ params }) => String(params.text));
const events = async (type: HallEvent["type"], id: string) =>
  (await eventsOf(hall)).filter((event) => event.type === type && event.subject.id === id);

/** Presses the button twice and gives the same answer over the API at once. Resolves with what each was told. */
async function giveThrice(id: string, at: number, after?: number): Promise<string[]> {
  const message = await shown(id, after);
  const { text = "", data = "" } = message?.buttons[at] ?? {};
  const before = toasts().length;
  telegram.press(message?.messageId ?? 0, data);
  telegram.press(message?.messageId ?? 0, data);
  const answer = text.replace(/^\d+\. /, "");
  const { status, body } = await hall.call("POST", `/api/escalations/${id}/resolve`, { answer });
  const pressed = await eventually(
    () => toasts().slice(before),
    ({ length }) => length === 2,
  );
  await eventually(
    () => telegram.keyboards().filter((one) => one.text.includes(`${id} · `)),
    ({ length }) => length === 0,
  );
  expect([200, 409]).toContain(status);
  return [...pressed, status === 200 ? `Recorded for ${id}: ${answer}` : JSON.stringify(body.error)];
}

function expectOne(told: string[], answer: string): void {
  expect(told.filter((words) => words.startsWith("Recorded"))).toHaveLength(1);
  for (const words of told) expect(words).toContain(answer);
}

it("a result is merged as its message shows it, once, whichever of two presses and a request is first", async () => {
  const id = await written("a1");
  const first = await shown(id);
  const branch = branchOf(await runOf(hall, id.slice("review-".length)))?.name ?? "";
  const elsewhere = repositoryAt(temporaryFolder());
  elsewhere.git("clone", "--quiet", "--branch", branch, repository.root, ".");
  elsewhere.write("other.txt", "Not what the message was about");
  elsewhere.git("add", "--all");
  elsewhere.git("commit", "--quiet", "-m", "Another");
  elsewhere.git("push", "--quiet", "origin", branch);
  const before = toasts().length;
  telegram.press(first?.messageId ?? 0, first?.buttons[0]?.data ?? "");
  const [told] = await eventually(
    () => toasts().slice(before),
    ({ length }) => length === 1,
  );
  expect(told).toBe("The question changed since this message. Look at it again.");
  expect((await runOf(hall, id.slice("review-".length))).delivery?.state).toBe("review");

  // The message about what it is now.
  expectOne(await giveThrice(id, 0, first?.messageId), "Approve");
  expect((await runOf(hall, id.slice("review-".length))).delivery?.state).toBe("delivered");
  expect(repository.git("log", "--oneline", "main", "--", "a1.txt").split("\n")).toHaveLength(1);
});

it("a limit is raised once, and the run continues", async () => {
  const run = await spawn("mill", "Costs 1", ["read"]);
  await untilDoing(hall, run, { kind: "waiting", for: "budget" });
  expectOne(await giveThrice(`budget-${run}`, 0), "Raise the limit to $");
  const { budget } = (await hall.call("GET", "/api/projects/mill")).body.project.config;
  expect(budget?.runUsd).toBeGreaterThan(2.5);
  expect(await events("project.updated", "mill")).toHaveLength(1);
});

it("a project is resumed once", async () => {
  await hall.stop();
  ageFolder(join(hall.workspace, "projects/rest"));
  hall = await startHall(hall.workspace, { ...setup(), later });
  expectOne(await giveThrice("suspended-rest", 0), "Resume");
  const moves = (await events("project.moved", "rest")).map(({ after }) => after?.status);
  expect(moves).toEqual(["suspended", "active"]);
});
