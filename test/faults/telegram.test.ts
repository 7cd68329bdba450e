import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../harness/telegram-api.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall } from "./crashing-hall.ts";

const CHAT = `/channels/telegram/${OWNER}\\.jsonl$`;
const victim = "daemon";
const points: (CrashPoint & { sends: number })[] = [
  { victim, file: CHAT, text: '"id":"tg-', when: "after", sends: 1 },
  // Telegram has it, the receipt is not on disk: it is sent again rather than lost.
  { victim, file: CHAT, text: '"by":"person"', when: "before", sends: 2 },
  { victim, file: CHAT, text: '"by":"person"', when: "after", sends: 1 },
];

it("hears every message once and answers it at least once, wherever the daemon is killed", {
  timeout: 180_000,
}, async () => {
  const telegram = await startTelegram();
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  const config = { channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } } };
  mkdirSync(join(crashing.workspace, ".guildhall"), { recursive: true });
  writeFileSync(join(crashing.workspace, "config.yml"), JSON.stringify(config));
  writeFileSync(join(crashing.workspace, ".guildhall/secrets"), `TELEGRAM_BOT_TOKEN=${BOT_TOKEN}\n`, { mode: 0o600 });
  await crashing.start();
  let expected = 0;
  for (const { sends, ...point } of points) {
    crashing.arm(point);
    telegram.write("/projects");
    await crashing.struck(point);
    expected += sends;
    await eventually(
      () => ({ sent: telegram.sent().length, waiting: telegram.waiting().length }),
      ({ sent, waiting }) => sent === expected && waiting === 0,
    );
  }
  const lines = readFileSync(join(crashing.workspace, `channels/telegram/${OWNER}.jsonl`), "utf8")
    .trim()
    .split("\n");
  const said = lines.map((line) => JSON.parse(line)).filter(({ from }) => from === "person");
  expect(said).toHaveLength(points.length);
  expect(new Set(said.map(({ id }) => id)).size).toBe(points.length);
});
