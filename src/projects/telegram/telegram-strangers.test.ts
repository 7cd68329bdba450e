import { expect, it } from "vitest";
import { TelegramStrangers } from "./telegram-strangers.ts";

const HOUR = 3_600_000;

it("tells each stranger once an hour, however many there are, and forgets them after a day", () => {
  let now = Date.parse("2026-03-01T12:00:00.000Z");
  const told: unknown[] = [];
  const strangers = new TelegramStrangers({ clock: () => new Date(now), onTrouble: (_, who) => told.push(who) });
  expect(strangers.problem()).toBeUndefined();
  for (let round = 0; round < 3; round++) strangers.note(7);
  expect(told).toEqual(["user 7"]);
  for (let userId = 100; userId < 10_000; userId++) strangers.note(userId);
  expect(told).toHaveLength(50);
  expect(strangers.problem()).toContain("9903 messages to the Telegram bot from non-owners");
  now += 2 * HOUR;
  strangers.note(7);
  strangers.note(20_000);
  expect(told.slice(50)).toEqual(["user 7", "user 20000"]);
  now += 25 * HOUR;
  expect(strangers.problem()).toBeUndefined();
});
