import { expect, onTestFinished } from "vitest";
import { runCommandLine } from "../../src/cli/run.ts";
import { waitFor } from "../harness/wait-for.ts";
import { fakeApi } from "./api.ts";
import { type FakeHostChoice, fakeHost } from "./cli-host.ts";
import type { TalkingHall } from "./talking-hall.ts";
import { pictureOf } from "./terminal-picture.ts";

/** A person at a terminal, in a conversation. */
export async function conversation(hall: TalkingHall, words = ["chat"], choice: FakeHostChoice = {}) {
  const api = await fakeApi(hall.answer);
  const columns = choice.terminal ?? 60;
  const env = { GUILDHALL_WORKSPACE: api.workspace, NO_COLOR: "1" };
  const host = fakeHost({ keyboard: true, env, pause: () => {}, ...choice, terminal: columns });
  const ended = runCommandLine(words, host);
  onTestFinished(async () => {
    host.press();
    await ended;
    await api.close();
  });
  const seen = () => pictureOf(host.printed.out, columns);
  const sees = (...lines: string[]) =>
    waitFor(() => {
      host.tick();
      expect(seen().lines).toEqual(lines);
    });
  await waitFor(() => expect(hall.isHeard()).toBe(true));
  return { host, ended, seen, sees };
}
