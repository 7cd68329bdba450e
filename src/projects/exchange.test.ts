import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { ChannelMessage } from "../contract/channel.ts";
import { Files } from "../store/files.ts";
import { Channels } from "./channels.ts";
import { Exchange } from "./exchange.ts";

const SHOP = { type: "project", id: "shop" } as const;

async function bench(...ids: string[]) {
  const files = new Files(temporaryFolder());
  mkdirSync(join(files.root, "projects/shop"), { recursive: true });
  const onTrouble = () => undefined;
  const channels = new Channels({ files, clock: () => new Date(), onTrouble });
  const exchange = new Exchange({ channels, redact: (text) => text, onTrouble });
  const said: ChannelMessage[] = [];
  for (const id of ids) said.push(await exchange.send(SHOP, { id, from: "person", to: "project", text: id }));
  const answer = (at: number) => {
    const message = said[at];
    if (message === undefined) throw new Error("no such message");
    const draft = { id: `answer-${message.id}`, from: "project", to: "person", text: `to ${message.id}` } as const;
    return exchange.dealtWith({ address: SHOP, by: "project", message }, { outcome: "answered", answer: draft });
  };
  const texts = () =>
    channels
      .of(SHOP)
      .page({ limit: 10 })
      .map(({ text }) => text);
  return { root: files.root, channels, exchange, answer, texts };
}

it("does not take the answer to a later message for that to an earlier one which could not be kept", async () => {
  const { root, channels, answer, texts } = await bench("one", "two");
  const file = join(root, "projects/shop/channel.jsonl");
  rmSync(file);
  mkdirSync(file);
  await expect(answer(0)).rejects.toMatchObject({ code: "path_refused" });
  rmSync(file, { recursive: true });
  await expect(answer(1)).rejects.toThrow("Message 'one' comes before 'two'");
  await answer(0);
  await answer(1);
  await answer(0);
  expect(texts()).toEqual(["one", "two", "to one", "to two"]);
  expect(channels.of(SHOP).open("project")).toEqual([]);
});

it("is not at work any more on what was dealt with by somebody else", async () => {
  const { exchange, answer, texts } = await bench("one");
  exchange.unwant(SHOP, "one");
  expect(exchange.isWanted(SHOP, "project", "one")).toBe(false);
  await answer(0);
  exchange.does(SHOP, { messageId: "one", activity: "thinking" });
  await answer(0);
  expect(exchange.doing(SHOP)).toBeUndefined();
  expect(texts()).toEqual(["one", "to one"]);
});

it("keeps in memory no more channels than are used", async () => {
  const { channels } = await bench("one");
  for (let at = 0; at < 500; at++) expect(channels.of({ type: "http", id: `c-${at}` }).lastSeq).toBe(0);
  expect(channels.loaded().length).toBeLessThan(200);
  expect(channels.loaded().map(({ address }) => address.id)).toContain("shop");
});
