import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sessionDamages } from "../cases/sessions.ts";
import type { Hall } from "../harness/daemon.ts";
import { inShop, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

const LONG = "word ".repeat(2_000);
const SHOP = "/api/projects/shop/messages";
const say = async (hall: Hall, text: string, to = SHOP): Promise<string[]> =>
  (await hall.call("POST", `${to as typeof SHOP}?wait=20`, { text })).body.answers.map(
    ({ text: said }: { text: string }) => said,
  );
const said = ({ body }: SeenRequest) => JSON.stringify(body.messages ?? body.contents);
const isSummary = (seen: SeenRequest) => seen.text.startsWith("Summarize the work below");
function writeSession(folder: string, content: Buffer): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "current.jsonl"), content);
}
const filesOf = (hall: Hall, folder: string) => readdirSync(join(hall.workspace, folder, "session")).sort();

it.each([
  ["the main agent", "/api/chat", ".", "/api/session"],
  ["a project's agent", SHOP, "projects/shop", "/api/projects/shop/session"],
])(
  "%s goes on when its window is full: with a summary, what came last, and all it ever said at hand [S3-SES-02]",
  async (_, to, folder, session) => {
    const { hall, provider } = await scriptedHall(
      (seen): Turn => {
        if (isSummary(seen)) return { text: "SUMMARY: the secret word was told." };
        if (seen.text.includes("Look it up") && seen.results.length === 0)
          return { calls: [{ name: "session_archive_read", input: {} }] };
        if (seen.results.length > 0) return { text: seen.results[0]?.output.includes("xyzzy") ? "xyzzy" : "unknown" };
        return { text: "Noted.", usage: { input: said(seen).length / 4, output: 5 } };
      },
      { config: { models: { default: "own/m", contextWindow: { "own/m": 16_000 } } } },
    );
    expect(await say(hall, "The word is xyzzy.", to)).toEqual(["Noted."]);
    for (let count = 0; count < 12 && !provider.requests.some(isSummary); count++)
      expect(await say(hall, `${count} ${LONG}`, to)).toEqual(["Noted."]);
    const [archive, current] = filesOf(hall, folder);
    expect(current).toBe("current.jsonl");
    expect(await say(hall, "And now?", to)).toEqual(["Noted."]);
    const last = provider.requests.at(-1) as SeenRequest;
    expect(said(last)).toContain("SUMMARY: the secret word was told.");
    expect(said(last)).toContain(String(archive));
    expect(said(last)).not.toContain("xyzzy");
    const { body } = await hall.call("GET", session as "/api/session");
    expect(body.entries[0]).toMatchObject({ type: "summary", previous: archive });
    expect(body.archives).toMatchObject([{ file: archive }]);
    const pages: string[] = [];
    for (let before: number | undefined, more = true; more; ) {
      const at = before === undefined ? "" : `&before=${before}`;
      const page = (await hall.call("GET", `${session as "/api/session"}?file=${archive}&limit=4${at}`)).body;
      pages.unshift(...page.entries.map(({ type }: { type: string }) => type));
      before = page.nextBefore;
      more = before !== undefined;
    }
    const kept = readFileSync(join(hall.workspace, folder, "session", String(archive)), "utf8")
      .trim()
      .split("\n");
    expect(pages).toEqual(kept.map((line) => JSON.parse(line).type));
    expect(await say(hall, "Look it up in your archive.", to)).toEqual(["xyzzy"]);
  },
);

it("tells of its session what people and programs can read", async () => {
  const { hall } = await scriptedHall([]);
  const at = "2026-01-01T00:00:00.000Z";
  const file = "2026-01-02T00-00-00.000Z.jsonl";
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const took = { finish: "calls", model: "own/m", usage, costUsd: 0.01, at };
  const opaque = { anthropic: { signature: "x".repeat(1_000) } };
  const channel = { type: "project", id: "shop" };
  const lines = [
    {
      type: "summary",
      text: "What was.",
      previous: "2026-01-01T00-00-00.000Z.jsonl",
      model: "own/m",
      usage,
      costUsd: null,
      at,
    },
    { type: "message", id: "m", from: "person", channel, text: "Go", at, ask: ["exec"] },
    {
      ...{ type: "answer", text: "", ...took },
      thinking: [{ text: "Hm", opaque, after: { text: 0, calls: 0 } }],
      calls: [{ id: "c1", name: "list_tasks", input: "{}", opaque }],
    },
    { type: "permit", id: "c1", state: "allowed" },
    { type: "hook", event: "PreToolUse", name: "own", outcome: "allowed", ms: 3, callId: "c1" },
    { type: "result", id: "c1", name: "list_tasks", output: "none", ms: 2 },
    { type: "failure", reason: "Overloaded.", at },
    { type: "waiting", reason: "quota", text: "own is paused.", at },
    { type: "resumed", at },
    { type: "ended", messageId: "m", outcome: "answered", at },
  ];
  const folder = inShop(hall, "session");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { entries } = (await hall.call("GET", `/api/projects/shop/session?file=${file}`)).body;
  const bare = JSON.parse(JSON.stringify(lines, (key, value) => (key === "opaque" ? undefined : value)));
  expect(entries.map(({ offset: _, ...entry }: { offset: number }) => entry)).toEqual(bare);
});

it("makes do with less when the provider says it is too long, sets aside what no provider takes, and passes over a message that is refused", async () => {
  let mode: "plain" | "long" | "poisoned" = "plain";
  const { hall, provider } = await scriptedHall((seen): Turn => {
    if (isSummary(seen)) return { text: "SUMMARY: they said words." };
    if (mode === "long" && said(seen).includes("said-one"))
      return {
        status: 400,
        error: { type: "context_length_exceeded", message: "maximum context length is 8192 tokens" },
      };
    if ((mode === "poisoned" && said(seen).includes("said-three")) || seen.text.includes("BAD"))
      return { status: 400, error: { type: "invalid_request_error", message: "messages.1: content is malformed" } };
    return { text: `Heard ${seen.text.split("\n").at(-1)}.` };
  });
  const next = async (text: string) => (await say(hall, text))[0];
  expect(await next("said-one")).toBe("Heard said-one.");
  mode = "long";
  expect(await next("said-two")).toBe("Heard said-two.");
  mode = "plain";
  expect(await next("said-three")).toBe("Heard said-three.");
  mode = "poisoned";
  expect(await next("said-four")).toBe("Heard said-four.");
  expect(await next("BAD")).toContain("The project's agent gave no answer: ");
  expect(await next("said-five")).toBe("Heard said-five.");
  expect(said(provider.requests.at(-1) as SeenRequest)).not.toContain("BAD");
  expect(said(provider.requests.at(-1) as SeenRequest)).not.toContain("said-three");
  const names = filesOf(hall, "projects/shop");
  expect(names.filter((name) => name.endsWith(".poisoned.jsonl"))).not.toEqual([]);
  const everything = names.map((name) => readFileSync(inShop(hall, `session/${name}`), "utf8")).join("");
  for (const word of ["said-one", "said-two", "said-three", "said-four", "BAD", "said-five"])
    expect(everything).toContain(`"text":"${word}"`);
});

it("answers in spite of whatever stands in its session's file, and keeps it [S3-SES-03]", {
  timeout: 180_000,
}, async () => {
  const { hall, provider } = await scriptedHall(() => ({ text: "Here." }));
  const ids = sessionDamages.map((_, at) => `p${at}`).slice(0, 4);
  for (const [at, id] of ids.entries()) {
    await hall.call("POST", "/api/projects", { id, name: id });
    const damage = sessionDamages[(at * 7 + 2) % sessionDamages.length];
    const folder = join(hall.workspace, "projects", id, "session");
    writeSession(folder, damage?.content ?? Buffer.alloc(0));
  }
  const answers = await Promise.all(ids.map((id) => say(hall, "Hello", `/api/projects/${id}/messages`)));
  expect(answers).toEqual(ids.map(() => ["Here."]));
  expect(provider.requests).toHaveLength(ids.length);
  for (const [at, id] of ids.entries()) {
    const damage = sessionDamages[(at * 7 + 2) % sessionDamages.length];
    const { entries } = (await hall.call("GET", `/api/projects/${id}/session?limit=1000`)).body;
    expect([damage?.name, entries.length >= (damage?.entries ?? 0) + 3]).toEqual([damage?.name, true]);
  }
});
