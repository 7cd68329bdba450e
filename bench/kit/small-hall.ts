import { type ChildProcess, fork } from "node:child_process";
import { closeSync, fdatasync, linkSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Order, ToHall } from "./small-hall-worker.ts";

/**
 * What Guildhall's promises cost when nothing else is done: an agent in a process of its own whose model calls go through this
 * one, each recorded before it is sent; a task, a journal, an artifact and a line of memory that survive a power cut; and files
 * that are never seen half written. Nothing is checked, limited, hidden, indexed, shown or retried. Its address is the first line
 * that it prints.
 */
const [modelUrl = "", folder = "", file = ""] = process.argv.slice(2);
const sync = promisify(fdatasync);
const agent = new Agent({ keepAlive: true });
for (const name of ["tasks", "runs", "artifacts"]) mkdirSync(join(folder, name), { recursive: true });
const events = openSync(join(folder, "events.jsonl"), "a");
const ledger = openSync(join(folder, "ledger.jsonl"), "a");
const memory = openSync(join(folder, "MEMORY.md"), "a");
const running = new Map<number, (text: string) => void>();
let count = 0;

const worker: ChildProcess = fork(join(import.meta.dirname, "small-hall-worker.ts"), {
  serialization: "advanced",
  stdio: "inherit",
});
worker.on("message", (message: ToHall) => {
  if (message.type === "ended") running.get(message.run)?.(message.text);
  if (message.type === "ask") void ask(message);
});
process.once("SIGTERM", () => {
  worker.kill();
  process.exit();
});

const server = createServer((incoming, answer) => {
  void textOf(incoming).then(async (prompt) => answer.end(await spawnRun(prompt)));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

async function spawnRun(prompt: string): Promise<string> {
  const run = ++count;
  const task = join(folder, "tasks", `${run}.md`);
  const [created] = await Promise.all([draft(task, `---\nstatus: running\n---\n${prompt}\n`), line(events, { run })]);
  placeNew(created, task);
  const order: Order = { run, prompt, file, journal: join(folder, "runs", `${run}.jsonl`) };
  const text = await new Promise<string>((resolve) => {
    running.set(run, resolve);
    worker.send(order);
  });
  running.delete(run);
  const artifact = join(folder, "artifacts", `${run}.md`);
  writeSync(memory, `- ${run}: ${text}\n`);
  const [settled, kept] = await Promise.all([
    draft(task, `---\nstatus: done\n---\n${prompt}\n`),
    draft(artifact, text),
    sync(ledger),
    sync(memory),
  ]);
  await line(events, { run, text });
  renameSync(settled, task);
  placeNew(kept, artifact);
  return text;
}

async function line(log: number, content: object): Promise<void> {
  writeSync(log, `${JSON.stringify(content)}\n`);
  await sync(log);
}

async function draft(path: string, text: string): Promise<string> {
  const draftPath = `${path}.draft`;
  const fd = openSync(draftPath, "wx");
  writeSync(fd, text);
  await sync(fd);
  closeSync(fd);
  return draftPath;
}

function placeNew(draftPath: string, path: string): void {
  linkSync(draftPath, path);
  unlinkSync(draftPath);
}

async function ask({ run, body }: Extract<ToHall, { type: "ask" }>): Promise<void> {
  writeSync(ledger, `${JSON.stringify({ run, reserved: body.length })}\n`);
  const answer = await new Promise<IncomingMessage>((resolve) => {
    const headers = { "content-type": "application/json", authorization: "Bearer test" };
    request(`${modelUrl}/v1/chat/completions`, { method: "POST", agent, headers }, resolve).end(body);
  });
  const text = await textOf(answer);
  writeSync(ledger, `${JSON.stringify({ run, settled: text.length })}\n`);
  worker.send({ run, text });
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}
