import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../harness/telegram-api.ts";
import { isSigned, startReceiver } from "../harness/webhook-receiver.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall } from "./crashing-hall.ts";

const victim = "daemon";
const CHAT = `/channels/telegram/${OWNER}\\.jsonl$`;
const CHANGES = "/changes[^/]*(?:/[^/]+)?\\.jsonl$";
/** Steps of telling the person, then steps of their answer. */
const TELLING: CrashPoint[] = [
  { victim, file: "/state/reach\\.json$", when: "after" },
  { victim, file: CHAT, text: '"id":"told-', when: "after" },
  { victim, file: CHANGES, text: "escalation\\.reminded", when: "after" },
];
const ANSWERING: CrashPoint[] = [
  { victim, file: CHANGES, text: "escalation\\.resolved", when: "before" },
  { victim, file: CHANGES, text: "escalation\\.resolved", when: "after" },
];

it("tells the person once and records their answer once, wherever the daemon is killed", {
  timeout: 180_000,
}, async () => {
  const telegram = await startTelegram();
  const receiver = await startReceiver();
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  const config = {
    channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
    notify: { url: receiver.url, secretEnv: "HOOK_SECRET" },
  };
  mkdirSync(join(crashing.workspace, ".guildhall"), { recursive: true });
  writeFileSync(join(crashing.workspace, "config.yml"), JSON.stringify(config));
  const secrets = `TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\nHOOK_SECRET=a-long-enough-secret\n`;
  writeFileSync(join(crashing.workspace, ".guildhall/secrets"), secrets, { mode: 0o600 });
  await crashing.start();
  const ask = async (question: string) => {
    const body = { type: "decision", question, suggestedAnswers: [{ label: "Yes" }] };
    await crashing.hall.call("POST", "/api/escalations", body).catch(() => undefined);
  };
  const shown = (id: string) =>
    eventually(
      () => telegram.keyboards().find(({ text }) => text.startsWith(`${id} · `)),
      (message) => message !== undefined,
    );
  const get = async (id: string) => (await crashing.hall.call("GET", `/api/escalations/${id}`)).body.escalation;
  const ids: string[] = [];
  for (const point of TELLING) {
    const id = `esc-00${ids.length + 1}`;
    // The person may be told before the one who asked has the answer.
    crashing.arm(point);
    await ask(`Point ${ids.length}?`);
    ids.push(id);
    await crashing.struck(point);
    await shown(id);
    await eventually(
      () => get(id),
      ({ reminders }) => reminders === 1,
    );
  }
  for (const [at, point] of ANSWERING.entries()) {
    const message = await shown(ids[at] ?? "");
    crashing.arm(point);
    telegram.press(message?.messageId ?? 0, message?.buttons[0]?.data ?? "");
    await crashing.struck(point);
    await eventually(
      () => telegram.keyboards().map(({ text }) => text.slice(0, 7)),
      (open) => !open.includes(ids[at] ?? ""),
    );
    expect(await get(ids[at] ?? "")).toMatchObject({ outcome: "answered", answer: "Yes", reminders: 1 });
  }
  const lines = readFileSync(join(crashing.workspace, `channels/telegram/${OWNER}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const told = lines.map((line) => JSON.parse(line)).filter(({ escalations }) => escalations !== undefined);
  expect(told.map(({ escalations }) => escalations).sort()).toEqual(ids.map((id) => [id]).sort());
  const keys = receiver.received
    .filter(({ body }) => body.event === "escalation.pending")
    .map(({ headers }) => headers["idempotency-key"]);
  expect(new Set(keys).size).toBe(ids.length);
  expect(receiver.received.every((request) => isSigned(request, "a-long-enough-secret"))).toBe(true);
});
