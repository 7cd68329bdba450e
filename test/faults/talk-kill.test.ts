import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ChannelMessage } from "../../src/contract/documents/channel.ts";
import { type DaemonProcess, eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { startProvider } from "../harness/scripted-provider.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { crashingHall } from "./crashing-hall.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 2);
const LONGEST_LOAD_MS = 600;
const PROJECTS = ["a", "b"];
const PLACES = ["/api/chat", ...PROJECTS.map((id) => `/api/projects/${id}/messages`)];

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it("SIGKILL at random moments of conversations loses no message, answers none twice and keeps their order [S3-START-04]", {
  timeout: 300_000,
}, async () => {
  const provider = await startProvider(({ text }) => {
    const asked = /said-[\w-]+/.exec(text.split("\n").at(-1) ?? "")?.[0];
    return { text: `heard ${asked}`, delayMs: 20 };
  });
  onTestFinished(() => provider.close());
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace);
  const providers = { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } };
  writeFileSync(join(workspace, "config.yml"), JSON.stringify({ providers, models: { default: "own/m" } }));
  let hall = await spawnHall(workspace);
  for (const id of PROJECTS) await hall.call("POST", "/api/projects", { id, name: id });
  const random = numbersFrom(7);
  const acknowledged = new Map<string, string[]>(PLACES.map((place) => [place, []]));
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const load = PLACES.map((place) => speakUntilGone(hall, { place, cycle, said: acknowledged.get(place) ?? [] }));
    await after(random() * LONGEST_LOAD_MS);
    if (random() < 0.4) for (const pid of projectProcesses(workspace).slice(0, 1)) process.kill(pid, "SIGKILL");
    else {
      await hall.kill();
      await untilNoProcess(workspace);
      hall = await spawnHall(workspace);
    }
    await Promise.all(load);
  }
  for (const place of PLACES) {
    const said = acknowledged.get(place) ?? [];
    const messages = await eventually(
      async () => (await hall.call("GET", `${place as "/api/chat"}?limit=1000`)).body.messages,
      // One that was stored and never acknowledged is answered too.
      (all) => [...said, ...idsOf(all)].every((id) => all.some(({ inReplyTo }) => inReplyTo === id)),
      30_000,
    );
    const asked = messages.filter(({ from }) => from === "person");
    expect(asked.map(({ id }) => id).filter((id) => said.includes(id))).toEqual(said);
    for (const { id, text } of asked) {
      const answers = messages.filter(({ inReplyTo }) => inReplyTo === id);
      expect(answers.map((answer) => answer.text)).toEqual([`heard ${text}`]);
    }
    const answered = messages.filter(({ inReplyTo }) => inReplyTo !== undefined).map(({ inReplyTo }) => inReplyTo);
    expect(answered).toEqual(asked.map(({ id }) => id));
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, at) => at + 1));
  }
  for (const id of PROJECTS) {
    const lines = readFileSync(join(workspace, `projects/${id}/session/current.jsonl`), "utf8")
      .trim()
      .split("\n");
    const ids = lines
      .map((line) => JSON.parse(line))
      .flatMap(({ type, id: of }) => (type === "message" && of ? [of] : []));
    expect(new Set(ids).size).toBe(ids.length);
  }
  await hall.stop();
  await untilNoProcess(workspace);
});

function idsOf(messages: ChannelMessage[]): string[] {
  return messages.filter(({ from }) => from === "person").map(({ id }) => id);
}

const CHANNEL = `/projects/${PROJECT}/channel\\.jsonl$`;
const ANSWER = '"inReplyTo":"said-';
const RECEIPT = '"received":\\d+,"by":"project"';

it("SIGKILL of the daemon right before or after an answer or its receipt loses no answer and gives none twice", {
  timeout: 120_000,
}, async () => {
  const crashing = await crashingHall({ talk: "turns:\n  - text: Heard.\n" });
  await crashing.hall.call("PUT", `/api/projects/${PROJECT}`, { model: "offline/talk" });
  const points: CrashPoint[] = [ANSWER, RECEIPT].flatMap((text) =>
    (["before", "after"] as const).map((when) => ({ victim: "daemon", file: CHANNEL, text, when })),
  );
  const place = `/api/projects/${PROJECT}/messages`;
  const said: string[] = [];
  for (const [at, point] of points.entries()) {
    crashing.arm(point);
    const id = `said-${at}`;
    const { status } = await crashing.hall.call("POST", place, { id, text: id });
    expect(status).toBe(201);
    said.push(id);
    await crashing.struck(point);
  }
  const answered = await eventually(
    async () => {
      const { messages } = (await crashing.hall.call("GET", place)).body;
      return messages.flatMap(({ inReplyTo }: ChannelMessage) => inReplyTo ?? []);
    },
    (ids) => ids.length >= said.length,
  );
  expect(answered).toEqual(said);
});

async function speakUntilGone(
  hall: DaemonProcess,
  { place, cycle, said }: { place: string; cycle: number; said: string[] },
) {
  for (let count = 0; count < 4; count++) {
    const id = `said-${PLACES.indexOf(place)}-${cycle}-${count}`;
    try {
      const wait = count % 2 === 0 ? 2 : 0;
      const { status } = await hall.call("POST", `${place}?wait=${wait}`, { text: id, id });
      if (status === 201) said.push(id);
    } catch {
      // Whether it was taken down nobody was told: it may be there or not.
      return;
    }
  }
}
