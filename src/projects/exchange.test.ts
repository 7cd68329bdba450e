import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { Files } from "../store/files.ts";
import { Channels } from "./channels.ts";
import { Exchange } from "./exchange.ts";

const address = { type: "http" as const, id: "default" };

function exchange() {
  const channels = new Channels({ files: new Files(temporaryFolder()), clock: () => new Date() });
  return new Exchange({ channels, redact: (text) => text, onTrouble: () => undefined });
}

it("wants no answer from the moment a message is given up, and says none that comes all the same", async () => {
  const talk = exchange();
  const say = (id: string) => talk.send(address, { id, from: "person", to: "main", text: id });
  const [first, second] = [await say("first"), await say("second")];
  const wanted = () => ["first", "second"].map((id) => talk.isWanted(address, "main", id));
  expect(wanted()).toEqual([true, true]);
  talk.giveUp(address, [first, second]);
  expect(wanted()).toEqual([false, false]);
  const late = { id: "late", from: "main" as const, to: "person" as const, text: "Too late." };
  for (const message of [first, second]) {
    const of = { address, by: "main" as const, message };
    await Promise.all([
      talk.dealtWith(of, { outcome: "stopped" }),
      talk.dealtWith(of, { outcome: "failed", answer: { ...late, id: `late-${message.id}` } }),
    ]);
  }
  await talk.dealtWith({ address, by: "main", message: first }, { outcome: "answered", answer: late });
  expect(
    talk.channels
      .of(address)
      .page({ limit: 10 })
      .map(({ text }) => text),
  ).toEqual(["first", "second"]);
  const third = await say("third");
  await talk.dealtWith({ address, by: "main", message: third }, { outcome: "answered", answer: late });
  expect(talk.channels.of(address).find("late")?.text).toBe("Too late.");
});
