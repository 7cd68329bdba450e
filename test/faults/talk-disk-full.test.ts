import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChannelMessage } from "../../src/contract/documents/channel.ts";
import { eventually, type Hall, spawnHall } from "../harness/daemon.ts";
import { startProvider } from "../harness/scripted-provider.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;
const PLACES = ["/api/chat", "/api/projects/shop/messages"];

describe.skipIf(reason !== undefined)(`conversations on a full disk${about}`, () => {
  it("refuse what they cannot keep, and lose neither a message nor an answer that was under way", {
    timeout: 180_000,
  }, async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const provider = await startProvider(async ({ text }) => {
      if (text.endsWith("hold")) await opened;
      return { text: `You said: ${text.split("\n").at(-1)}${" and more".repeat(text.endsWith("hold") ? 2_000 : 0)}` };
    });
    onTestFinished(() => provider.close());
    const disk = smallDisk("8m");
    const workspace = join(disk.path, "workspace");
    mkdirSync(workspace);
    const providers = { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } };
    writeFileSync(join(workspace, "config.yml"), JSON.stringify({ providers, models: { default: "own/m" } }));
    const hall = await spawnHall(workspace);
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    for (const place of PLACES) await hall.call("POST", `${place}?wait=20`, { text: "before" });
    for (const place of PLACES) await hall.call("POST", place, { text: "hold" });
    await provider.request(3);
    const asked = provider.requests.length;
    disk.fill();
    open();
    for (const number of [2, 3]) expect(await (await provider.request(number)).ended).toBe("answered");
    for (const place of PLACES) {
      const { status, body } = await hall.call("POST", place, { text: "x".repeat(9_000) });
      expect([place, status, body.error?.code]).toEqual([place, 503, "storage_failed"]);
    }
    disk.free();
    for (const place of PLACES) {
      const said = await untilAnswered(hall, place);
      expect(
        said.filter(({ to }) => to !== "main" || place === "/api/chat").map(({ text }) => text.slice(0, 16)),
      ).toEqual([...["before", "You said: before", "hold", "You said: hold a"]]);
    }
    // What could not be kept at once is kept later, and not paid for again.
    expect(provider.requests.length).toBe(asked);
    expect((await hall.call("GET", "/api/projects/shop")).body.project.status).toBe("active");
    const { events } = (await hall.call("GET", "/api/events/log?type=project.crashed")).body;
    expect(events).toEqual([]);
  });
});

async function untilAnswered(hall: Hall, place: string): Promise<ChannelMessage[]> {
  return eventually(
    async () => (await hall.call("GET", place as "/api/chat")).body.messages,
    (said: ChannelMessage[]) => said.some(({ text }) => text.startsWith("You said: hold")),
  );
}
