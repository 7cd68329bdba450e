import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Live } from "../../src/contract/runs/live.ts";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { held, scriptedHall } from "../harness/scripted-hall.ts";
import { type LiveFrames, openLive, signIn } from "../harness/signed-in.ts";

function builtPages(): string {
  const folder = join(temporaryFolder(), "dist");
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "assets/main-1.js"), "main");
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>The hall</title>");
  return folder;
}

const linkOf = async (hall: Awaited<ReturnType<typeof startHall>>): Promise<string> =>
  (await hall.call("POST", "/api/browser/links")).body.url;

const ofKind = <Kind extends Live["kind"]>(frames: readonly Live[], kind: Kind) =>
  frames.filter((live): live is Extract<Live, { kind: Kind }> => live.kind === kind);

test("a browser signs in with a link, stays signed in over a restart, and is out when the token is new", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const setup = { web: builtPages(), config: { server: { port: 0 } } };
  const first = await startHall(workspace, setup);
  const { port } = new URL(first.url);
  const page = await fetch(`${first.url}/projects/shop`);
  expect(await page.text()).toContain("<title>The hall</title>");
  const link = await linkOf(first);
  const browser = await signIn(link);
  await expect(signIn(link)).rejects.toThrow("link_refused");
  const status = async (url: string, headers: object) =>
    (await fetch(`${url}/api/status`, { headers: { ...headers } })).status;
  expect([await status(first.url, browser), await status(first.url, { cookie: browser.cookie })]).toEqual([200, 401]);
  const made = await fetch(`${first.url}/api/projects`, {
    method: "POST",
    headers: { ...browser, "content-type": "application/json", origin: first.url, "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ name: "Shop" }),
  });
  expect(made.status).toBe(201);
  await first.stop();

  // The cookie has the old port in its name; a daemon that comes back has its own.
  const renamed = (url: string) => ({ ...browser, cookie: browser.cookie.replace(port, new URL(url).port) });
  const second = await startHall(workspace, setup);
  expect(await status(second.url, renamed(second.url))).toBe(200);
  await second.stop();
  rmSync(join(workspace, ".guildhall/token"));
  const third = await startHall(workspace, setup);
  expect(await status(third.url, renamed(third.url))).toBe(401);
});

test("one stream tells a signed-in browser of events, runs, their text and what is said, and replays events", async () => {
  const gate = held();
  const { hall, provider, spawn } = await scriptedHall(() => gate.opened.then(() => ({ text: ["Al", "l done."] })));
  const browser = await signIn(await linkOf(hall));
  const quiet = await openLive(hall.url, browser, "?channels=http:default,project:nothing");
  const { sessionId } = (await spawn()).body;
  await provider.request(0);
  const close = await openLive(hall.url, browser, `?deltas=${sessionId}`);
  await eventually(
    () => close.frames,
    (frames) => frames[0]?.kind === "hello" && !frames[0].reset,
  );
  await hall.call("POST", "/api/chat", { text: "/projects" });
  gate.open();
  const isOver = ({ frames }: LiveFrames) => ofKind(frames, "run").some(({ run }) => run?.status === "completed");
  const heard = await eventually(
    () => [quiet, close],
    (both) => both.every(isOver),
  );
  const [first = [], second = []] = heard.map(({ frames }) => frames);
  const types = ofKind(first, "event").map(({ event }) => event.type);
  expect(types).toEqual(expect.arrayContaining(["run.created", "run.started", "run.ended"]));
  const states = ofKind(first, "run").flatMap(({ run }) => run ?? []);
  expect(states.map(({ id, status }) => [id, status])).toEqual([
    [sessionId, "running"],
    [sessionId, "completed"],
  ]);
  expect(states.at(-1)).not.toHaveProperty("usage");
  expect(ofKind(first, "run").some(({ activity }) => activity?.kind === "thinking")).toBe(true);
  expect(ofKind(first, "talk").map((talk) => talk.live.kind)).toEqual(["message", "message"]);
  expect([ofKind(first, "delta"), ofKind(second, "talk")]).toEqual([[], []]);
  const text = ofKind(second, "delta").map(({ delta }) => (delta.kind === "text" ? delta.text : ""));
  expect(text.join("")).toBe("All done.");

  const seen = ofKind(first, "event").at(-1)?.event.seq ?? 0;
  for (const stream of [quiet, close]) stream.close();
  await hall.call("POST", "/api/projects", { name: "Missed" });
  const again = await openLive(hall.url, browser, `?after=${seen}`);
  const replayed = await eventually(
    () => ofKind(again.frames, "event").map(({ event }) => event),
    (events) => events.some(({ type }) => type === "project.created"),
  );
  expect(replayed[0]?.seq).toBe(seen + 1);
  again.close();
});
