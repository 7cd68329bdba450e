import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { loggedPathsWith } from "../harness/logged-writes.ts";
import { filesBelow } from "../harness/look-below.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import { journalOf } from "../harness/spawned-runs.ts";
import { startReceiver } from "../harness/webhook-receiver.ts";

const R = (text: string, times: number) => text.repeat(times);
/** Each holds the word KANARIE, which must be seen nowhere but in the files themselves. */
const NOTES = [
  `sk-ant-api03-KANARIE${R("A", 60)}`,
  `ghp_KANARIE${R("c", 30)}`,
  "AKIAKANARIE000000000",
  "xoxb-KANARIE-000-fff",
  `AIzaKANARIE${R("h", 30)}`,
  "postgres://user:KANARIEPASS@db.example/x",
  `Authorization: Bearer KANARIE${R("j", 30)}`,
  "API_KEY='KANARIE KEY'",
  `-----BEGIN PRIVATE KEY-----\nKANARIE${R("MIIEvQ", 9)}\n-----END PRIVATE KEY-----`,
];
const ENV_VALUE = "tulip KANARIE window 42";

/** Every text file of the workspace, but those that were put there with the secret in them. */
function leaksIn(workspace: string, word: string, except: RegExp): string[] {
  const inFiles = filesBelow(workspace)
    .filter(({ path, bytes }) => !`/${path}`.includes("/state/changes/") && bytes.includes(word))
    .map(({ path }) => join(workspace, path));
  return [...inFiles, ...loggedPathsWith(workspace, word)].filter((path) => !except.test(path));
}

it("shows no secret that agents read to the model, and keeps none in journal, events, task, memory, artifact or webhook", async () => {
  const receiver = await startReceiver();
  const { hall, provider, spawn } = await scriptedHall(
    [
      { calls: [{ name: "read", input: { path: "notes.txt" } }] },
      { calls: [{ name: "search", input: { pattern: "tulip" } }] },
      { calls: [{ name: "list", input: {} }] },
      { calls: [{ name: "notify", input: { text: `It is ${NOTES[0]}` } }] },
      { text: piecesOf(`The secrets are ${NOTES.join(" and ")} and ${ENV_VALUE}.`), chunkBytes: 7 },
    ],
    { config: { notify: { url: receiver.url } } },
  );
  const root = join(hall.workspace, "projects/shop");
  writeFileSync(join(root, ".env"), `PORT=3000\nDB_PASSWORD="${ENV_VALUE}"\n`);
  writeFileSync(
    join(root, "notes.txt"),
    `${NOTES.join("\n")}\nthe password: ${ENV_VALUE}\n9fa420f1c0ffee001122 stays\n`,
  );
  mkdirSync(join(root, "named"));
  writeFileSync(join(root, "named", `sk-ant-api03-KANARIE.txt`), "x");
  writeFileSync(join(root, "MEMORY.md"), `# Memory\n\n- the key is ${NOTES[1]}\n`);
  const live = await watchLive(hall);
  const answer = await spawn({
    task: { title: `Use ${NOTES[2]}`, description: `with ${ENV_VALUE} and ${NOTES[3]}` },
    options: { waitForCompletion: true },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(JSON.stringify(answer.body)).not.toContain("KANARIE");
  expect(provider.requests.length).toBe(5);
  for (const { body } of provider.requests) expect(JSON.stringify(body)).not.toContain("KANARIE");
  const journal = journalOf(hall.workspace, answer.body.sessionId);
  const read = journal.find((entry): entry is Extract<JournalEntry, { type: "result" }> => entry.type === "result");
  expect(read?.output).toContain("[secret: DB_PASSWORD]");
  expect(read?.output).toContain("9fa420f1c0ffee001122 stays");
  // The person's own files and their copies in checkpoints: what they wrote themselves, and the task with the title they gave.
  const own = /notes\.txt|checkpoints\/|\.env$|MEMORY\.md|TASKS\/|index\.db|sk-ant/;
  expect(leaksIn(hall.workspace, "KANARIE", own)).toEqual([]);
  await eventually(
    () => receiver.received.length,
    (count) => count >= 2,
  );
  expect(receiver.received.map(({ text }) => text).join("\n")).not.toContain("KANARIE");
  const watched = await live.ended();
  const said = [...watched.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "").delta?.text ?? "");
  expect(watched).not.toContain("KANARIE");
  expect(said.join("")).not.toContain("KANARIE");
  expect(said.join("")).toMatch(/The secrets are .*\[secret: DB_PASSWORD\]/);
});

it("leaves the files of agents as they write them, and lets no mark take the place of a secret", async () => {
  const key = `sk-ant-api03-KANARIE${R("B", 60)}`;
  const { hall, provider, spawn } = await scriptedHall([
    { calls: [{ name: "read", input: { path: "app.conf" } }] },
    { calls: [{ name: "edit", input: { path: "app.conf", oldText: "key=[secret]", newText: "key=none" } }] },
    { calls: [{ name: "write", input: { path: "app.conf", content: "port=1\nkey=[secret]\n" } }] },
    { calls: [{ name: "edit", input: { path: "app.conf", oldText: "port=1", newText: "port=2" } }] },
    { calls: [{ name: "write", input: { path: "fixture.txt", content: `made up: ${NOTES[1]}` } }] },
    { text: "Done." },
  ]);
  const root = join(hall.workspace, "projects/shop");
  writeFileSync(join(root, "app.conf"), `port=1\nkey=${key}\n`);
  const { body } = await spawn({ options: { waitForCompletion: true } });
  expect(body.status).toBe("completed");
  expect(readFileSync(join(root, "app.conf"), "utf8")).toBe(`port=2\nkey=${key}\n`);
  expect(readFileSync(join(root, "fixture.txt"), "utf8")).toBe(`made up: ${NOTES[1]}`);
  const results = journalOf(hall.workspace, body.sessionId).filter((entry) => entry.type === "result");
  expect(results.map(({ failed }) => failed ?? false)).toEqual([false, true, true, false, false]);
  expect(results[1]?.output).toContain("[secret] is a placeholder for a hidden secret");
  expect(JSON.stringify(provider.requests.map((request) => request.body))).not.toContain("KANARIE");
  expect(JSON.stringify(journalOf(hall.workspace, body.sessionId))).not.toContain("KANARIE");
});

it("hides the daemon's token and keys, whoever says them, also in its own log, and gives none to the project's process", async () => {
  const logged: object[] = [];
  const { hall, provider, spawn } = await scriptedHall(
    (request) =>
      request.turns === 0
        ? { status: 400, error: { message: `bad key ${String(request.headers.authorization)}` } }
        : { text: "never" },
    { log: (entry) => logged.push(entry), env: { DEPLOY_TOKEN: "harbor-lighthouse-7" } },
  );
  const { body } = await spawn({
    task: { title: "Token", description: `use ${hall.token} for it` },
    options: { waitForCompletion: true },
  });
  expect(body.status).toBe("failed");
  expect(JSON.stringify(body)).not.toContain(KEY);
  expect(JSON.stringify(provider.requests.map((request) => request.body))).not.toContain(hall.token);
  expect(JSON.stringify(provider.requests.map((request) => request.body))).toContain("[secret: token]");
  // A project whose id is a secret, with a channel that cannot be read: the daemon logs both its name and its path.
  await hall.call("POST", "/api/projects", { id: "harbor-lighthouse-7", name: "Harbor" });
  mkdirSync(join(hall.workspace, "projects/harbor-lighthouse-7/channel.jsonl"));
  await hall.call("GET", "/api/channels");
  expect(JSON.stringify(logged)).toContain("the channel project/[secret: DEPLOY_TOKEN] cannot be read");
  expect(JSON.stringify(logged)).not.toContain("harbor-lighthouse-7");
  const own = /TASKS\/|index\.db|\.guildhall/;
  expect([...leaksIn(hall.workspace, hall.token, own), ...leaksIn(hall.workspace, KEY, own)]).toEqual([]);
});

function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,9}/g) ?? [];
}

/** All that the live stream says until the test is over with it. */
async function watchLive(hall: Hall) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = { authorization: `Bearer ${hall.token}` };
  const response = await fetch(`${hall.url}/api/live?topics=runs&deltas=*`, { headers, signal: leaving.signal });
  let heard = "";
  const reading = (async () => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard += piece;
  })().catch(() => undefined);
  const ended = async () => {
    await eventually(
      () => heard,
      (text) => /"status":"completed"/.test(text),
    );
    leaving.abort();
    await reading;
    return heard;
  };
  return { ended };
}
