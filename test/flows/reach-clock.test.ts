import { expect, it } from "vitest";
import { eventually, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../harness/telegram-api.ts";

const HOUR_MS = 3_600_000;

it("says nothing in quiet hours, all of it at once in the morning, and applies a stated default when its time is over", async () => {
  const telegram = await startTelegram();
  const night = new Date();
  night.setHours(23, 0, 0, 0);
  let ahead = night.getTime() - Date.now();
  const hall = await startHall(undefined, {
    clock: () => new Date(Date.now() + ahead),
    config: {
      channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
      escalations: { quietHours: "22:00-08:00" },
    },
    env: { OLLAMA_HOST: NOBODY, TELEGRAM_BOT_TOKEN: BOT_TOKEN },
  });
  const ask = async (question: string, more: object = {}) => {
    const asked = await hall.call("POST", "/api/escalations", { type: "question", question, ...more });
    const id = asked.body.escalation?.id ?? "";
    await eventually(
      () => get(id),
      ({ status }) => status === "pending",
    );
    return id;
  };
  const get = async (id: string) => (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
  const fallback = { answer: "Redis", afterHours: 14 };
  const first = await ask("Which cache?", { fallback });
  const second = await ask("Pay the bill?", { type: "decision", fallback });
  ahead += 8 * HOUR_MS;
  // An event has it look again; it is seven in the morning.
  await ask("Which font?");
  ahead += 2 * HOUR_MS;
  const last = await ask("Which logo?");
  const sent = await eventually(
    () => telegram.sent(),
    ({ length }) => length > 0,
  );
  // It may look at the clock before the last question is in.
  expect(sent).toEqual([expect.stringMatching(/^[34] decisions are waiting for you\./)]);
  expect(await get(first)).toMatchObject({ status: "pending", reminders: 1 });
  ahead += 5 * HOUR_MS;
  await hall.call("POST", `/api/escalations/${last}/dismiss`, { reason: "No." });
  const expired = await eventually(
    () => get(first),
    ({ status }) => status === "resolved",
  );
  expect(expired).toMatchObject({ outcome: "expired", answer: "Redis", resolvedBy: "hall" });
  expect(await get(second)).toMatchObject({ status: "pending", resolution: null });
});
