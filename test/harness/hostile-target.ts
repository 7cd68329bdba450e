import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Target } from "../cases/hostile-commands.ts";

let targets = 0;

export interface OpenTarget extends Target {
  /** How often any of the servers was reached. */
  visits(): number;
  isBystanderAlive(): boolean;
}

/** Servers and a process of this machine, which are gone after the test. */
export async function hostileTarget(folder: string): Promise<OpenTarget> {
  const number = ++targets;
  let visits = 0;
  const listen = async (path: string) => {
    const server = createServer((socket) => {
      visits++;
      socket.end();
    });
    onTestFinished(() => void server.close());
    server.listen(path);
    await once(server, "listening");
  };
  const socketFile = join(folder, "docker.sock");
  const abstractName = `guildhall-${process.pid}-${number}`;
  await listen(socketFile);
  await listen(`\0${abstractName}`);
  const resolver = createSocket("udp4", () => visits++);
  onTestFinished(() => void resolver.close());
  resolver.bind(0, "127.0.0.1");
  await once(resolver, "listening");
  const bystander = spawn("sleep", ["600"], { env: { ...process.env, OWN: "canary" } });
  onTestFinished(() => void bystander.kill("SIGKILL"));
  await once(bystander, "spawn");
  return {
    // A time to sleep that nobody else sleeps.
    mark: `6${process.pid}${String(number).padStart(3, "0")}`,
    bystander: bystander.pid ?? 0,
    socketFile,
    abstractName,
    resolverPort: resolver.address().port,
    visits: () => visits,
    isBystanderAlive: () => bystander.exitCode === null && bystander.signalCode === null,
  };
}
