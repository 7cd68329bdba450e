import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { KNOWN_BY_DAEMON, KNOWN_BY_ENV_FILE, SECRET_KINDS, UNRECOGNISED } from "../cases/secret-kinds.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { loggedPathsWith } from "../harness/logged-writes.ts";
import { filesBelow } from "../harness/look-below.ts";
import { startPages } from "../harness/page-server.ts";
import { repository } from "../harness/repository.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { journalOf } from "../harness/spawned-runs.ts";
import { startReceiver } from "../harness/webhook-receiver.ts";

const here = await sandboxProbe().settle();
const KINDS = [...Object.values(SECRET_KINDS), KNOWN_BY_DAEMON, KNOWN_BY_ENV_FILE];
const ALL = KINDS.join("\n\n");
const IN_ONE_LINE = KINDS.filter((kind) => !kind.includes("\n")).join(" , ");
const TITLE = KINDS.filter((kind) => !kind.includes("\n") && kind.length < 60).join(" , ");
/** Files that were put there with secrets in them, and copies of what an agent's own branch holds. */
const OF_THE_PERSON =
  /\/TASKS\/|index\.db|\/memory\/facts\/house|\/\.env$|\/checkpoints\/|\/worktrees\/|\.guildhall\/token/;

function script(pages: string): (request: SeenRequest) => Turn {
  const calls = [
    { name: "read", input: { path: "notes.txt" } },
    { name: "list", input: { path: "names" } },
    { name: "search", input: { pattern: "lamp" } },
    { name: "read", input: { path: ".env" } },
    { name: "memory_read", input: { path: "facts/house.md" } },
    { name: "web_fetch", input: { url: `http://${pages}/` } },
    { name: "exec", input: { command: "cat notes.txt; cat notes.txt >&2; git remote -v; git log; env; cat .env" } },
    { name: "exec", input: { command: "rev .env; base64 .env | base64; od -c .env" } },
    { name: "write", input: { path: "copy.txt", content: ALL } },
    { name: "memory_append", input: { text: IN_ONE_LINE } },
    { name: "notify", input: { text: ALL } },
  ];
  const words = `I saw ${ALL} and that is all.`;
  return ({ turns, body, system }) => {
    const isMain = system.includes("You are the main agent");
    if (isMain || system.includes("You are the agent of this project")) return livingTurn(turns, isMain);
    if (JSON.stringify(body).includes("Fail at once"))
      return { status: 400, error: { message: `bad: ${IN_ONE_LINE}` } };
    if (turns === 0) return { text: words, thinking: words, calls };
    return turns === 1
      ? { calls: [{ name: "report", input: { summary: words, outcome: "full" } }] }
      : { text: words.match(/[\s\S]{1,9}/g) ?? [], chunkBytes: 11 };
  };
}

/** What only the env file of a project names is no secret to the main agent, who never sees it. */
const TO_MAIN = ALL.replaceAll(KNOWN_BY_ENV_FILE, "nothing");

/** An agent that lives on repeats all that it knows, everywhere. */
function livingTurn(turns: number, isMain: boolean): Turn {
  const all = isMain ? TO_MAIN : ALL;
  const words = `I saw ${all} and that is all.`;
  if (turns > 0) return { text: words.match(/[\s\S]{1,9}/g) ?? [], chunkBytes: 11 };
  const lines = all.split("\n\n").filter((kind) => !kind.includes("\n"));
  const anybody = [
    { name: "memory_append", input: { text: lines.join(" , ") } },
    { name: "memory_write", input: { path: "facts/all.md", content: `> Summary: ${lines[0]}\n\n${all}` } },
    ...lines.map((kind) => ({ name: "knowledge_add", input: { text: `They use ${kind} here.` } })),
  ];
  const own = isMain
    ? [
        { name: "create_project", input: { name: "Next", goal: all, background: all } },
        { name: "reply", input: { channelType: "http", channelId: "default", text: all } },
        { name: "reply", input: { channelType: "project", channelId: "shop", text: all } },
      ]
    : [
        { name: "read", input: { path: "notes.txt" } },
        { name: "notify", input: { text: all } },
        { name: "read", input: { path: ".env" } },
        { name: "task_create", input: { title: "Keep it", description: all } },
      ];
  return { text: words, thinking: words, calls: [...anybody, ...own] };
}

/** All that a stream of events says. */
async function listen(hall: Hall, path: string): Promise<() => string> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = { authorization: `Bearer ${hall.token}` };
  const response = await fetch(hall.url + path, { headers, signal: leaving.signal });
  let heard = "";
  void (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece;
  })().catch(() => undefined);
  return () => heard;
}

function filesWith(folder: string, words: readonly string[]): string[] {
  const inFiles = filesBelow(folder)
    // For git's sandboxes there are links to the person's repository.
    .filter(({ path }) => !/(?:^|\/)(?:\.guildhall\/git|state\/changes)\//.test(path))
    .filter(({ bytes }) => words.some((word) => bytes.includes(word)))
    .map(({ path }) => join(folder, path));
  const logged = existsSync(join(folder, "state/changes"))
    ? words.flatMap((word) => loggedPathsWith(folder, word))
    : [];
  return [...inFiles, ...logged].filter((path) => !OF_THE_PERSON.test(path));
}

/** The text that a stream tells in pieces, put together. */
function wordsOf(heard: string): string {
  const told = [...heard.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  return told.map(({ live }) => (live?.kind === "delta" ? live.text : "")).join("");
}

const without = here.name === "none" ? ` (without commands: ${here.detail})` : "";

it(`shows no secret of any kind, from wherever agents have it, to anybody${without}`, async () => {
  const pages = await startPages({ "/": `<pre>${ALL}</pre>` });
  const receiver = await startReceiver();
  const said: string[] = [];
  const { hall, provider, spawn } = await scriptedHall(script(pages.host), {
    config: { notify: { url: receiver.url }, web: { allow: [pages.host] } },
    env: { DEPLOY_KEY: KNOWN_BY_DAEMON },
    log: (entry) => said.push(JSON.stringify(entry)),
  });
  const repo = repository({ "notes.txt": ALL, ".gitignore": ".env\n", "names/sk-ant-api03-KANARIE.txt": "x" });
  repo.git("remote", "add", "origin", "https://user:KANARIEPASS@git.example/x.git");
  repo.git("commit", "--quiet", "--allow-empty", "-m", ALL);
  repo.write(".env", `PASSWORD="${KNOWN_BY_ENV_FILE}"\n`);
  const own = join(hall.workspace, "projects/shop");
  mkdirSync(join(own, "memory/facts"), { recursive: true });
  writeFileSync(join(own, "memory/facts/house.md"), ALL);
  const skills = ["read", "write", "list", "search", "exec", "memory", "web_fetch", "notify", "report"];
  await hall.call("PUT", "/api/roles/coder", { skills });
  const config = { constraints: { requireReview: true } };
  await hall.call("PUT", "/api/projects/shop", { workdir: repo.root, config });
  const streams = [await listen(hall, "/api/live?topics=events"), await listen(hall, "/api/live?topics=runs&deltas=*")];

  const options = { waitForCompletion: true };
  const task = { title: TITLE, description: ALL };
  const { body: done } = await spawn({ task, options });
  expect(done.status, JSON.stringify(done)).toBe("completed");
  const { body: failed } = await spawn({ task: { title: "Fail at once" }, options });
  expect([failed.status, failed.error]).toEqual(["failed", expect.stringContaining("bad: ")]);
  await eventually(
    () => receiver.received.length,
    (count) => count >= 3,
  );

  const journal = journalOf(hall.workspace, done.sessionId);
  const results = journal.filter((entry) => entry.type === "result");
  // It did see them: the marks are there.
  for (const name of ["read", "list", "memory_read", "web_fetch", ...(without === "" ? ["exec"] : [])])
    expect(results.find((entry) => entry.name === name)?.output, name).toContain("[secret");
  expect(JSON.stringify(journal)).toContain("[secret: DEPLOY_KEY]");
  const shown = await Promise.all(
    [
      ["run", "show", done.sessionId],
      ["run", "logs", done.sessionId, "--full"],
    ].map((words) => guildhall(words, { workspace: hall.workspace })),
  );
  const heard = {
    models: JSON.stringify(provider.requests.map((request) => request.body)),
    "those who spawn": JSON.stringify([done, failed]),
    journal: JSON.stringify(journal),
    streams: streams.map((stream) => stream()).join("\n"),
    words: streams
      .flatMap((stream) => [...stream().matchAll(/^data: (.*)$/gm)])
      .map(([, data]) => JSON.parse(data ?? "").delta?.text ?? "")
      .join(""),
    webhook: receiver.received.map(({ text }) => text).join("\n"),
    log: said.join("\n"),
    "those who look": shown.map(({ stdout, stderr }) => stdout + stderr).join("\n"),
  };
  expect(heard.words).toContain("[secret: DEPLOY_KEY]");
  for (const word of ["KANARIE", ...UNRECOGNISED])
    for (const [who, text] of Object.entries(heard)) {
      const at = text.indexOf(word);
      expect(at === -1 ? "" : text.slice(Math.max(0, at - 100), at + 60), `${word} to ${who}`).toBe("");
    }
  expect(filesWith(hall.workspace, ["KANARIE", ...UNRECOGNISED])).toEqual([]);
});

it("shows none in what is said with agents that live on, nor in what they keep", async () => {
  const pages = await startPages({});
  const said: string[] = [];
  const { hall, provider } = await scriptedHall(script(pages.host), {
    env: { DEPLOY_KEY: KNOWN_BY_DAEMON },
    log: (entry) => said.push(JSON.stringify(entry)),
  });
  const repo = repository({ "notes.txt": ALL, ".gitignore": ".env\n" });
  repo.write(".env", `PASSWORD="${KNOWN_BY_ENV_FILE}"\n`);
  await hall.call("PUT", "/api/projects/shop", { workdir: repo.root });
  const streams = await Promise.all(
    ["topics=&channels=http:default", "topics=&channels=project:shop", "topics=events"].map((wanted) =>
      listen(hall, `/api/live?${wanted}`),
    ),
  );
  const asked = [
    await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: ALL }),
    await hall.call("POST", "/api/chat?wait=20", { text: TO_MAIN }),
  ];
  expect(asked.map(({ status, body }) => [status, body.isOpen])).toEqual(asked.map(() => [201, false]));
  const read = await Promise.all(
    [
      ...["/api/chat", "/api/session", "/api/knowledge?scope=all&limit=100", "/api/memory", "/api/channels"],
      ...["messages", "session", "memory"].map((what) => `/api/projects/shop/${what}`),
    ].map((path) => hall.call("GET", path)),
  );
  expect(read.map(({ status }) => status)).toEqual(read.map(() => 200));
  const heard = {
    models: JSON.stringify(provider.requests.map((request) => request.body)),
    "those who speak": JSON.stringify(asked),
    "those who look": JSON.stringify(read),
    streams: streams.map((stream) => stream()).join("\n"),
    words: streams
      .slice(0, 2)
      .map((stream) => wordsOf(stream()))
      .join("\n"),
    log: said.join("\n"),
  };
  for (const [who, what] of Object.entries(heard))
    if (who !== "log") expect(what, who).toContain("[secret: DEPLOY_KEY]");
  for (const word of ["KANARIE", ...UNRECOGNISED])
    for (const [who, what] of Object.entries(heard)) {
      const at = what.indexOf(word);
      expect(at === -1 ? "" : what.slice(Math.max(0, at - 100), at + 60), `${word} to ${who}`).toBe("");
    }
  expect(filesWith(hall.workspace, ["KANARIE", ...UNRECOGNISED])).toEqual([]);
});
