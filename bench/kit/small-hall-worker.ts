import { fdatasync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { agentLoop } from "./bare-loop.ts";

export interface Order {
  run: number;
  prompt: string;
  file: string;
  journal: string;
}

export type ToHall = { type: "ask"; run: number; body: string } | { type: "ended"; run: number; text: string };

const sync = promisify(fdatasync);
const asking = new Map<number, (text: string) => void>();

process.on("message", (message: Order | { run: number; text: string }) => {
  if ("prompt" in message) void work(message);
  else asking.get(message.run)?.(message.text);
});

async function work({ run, prompt, file, journal }: Order): Promise<void> {
  const fd = openSync(journal, "wx");
  const ask = (body: string) =>
    new Promise<string>((resolve) => {
      asking.set(run, (text) => {
        writeSync(fd, `${JSON.stringify({ text })}\n`);
        resolve(text);
      });
      tell({ type: "ask", run, body });
    });
  const turns = await agentLoop(ask, prompt, file);
  await sync(fd);
  tell({ type: "ended", run, text: `${turns} turns` });
}

function tell(message: ToHall): void {
  process.send?.(message);
}
