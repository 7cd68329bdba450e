import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type ApiAnswer, type ApiRequest, type FakeApi, fakeApi, ok } from "../../test/fakes/api.ts";
import { hallEvent, task } from "../../test/fakes/api-documents.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

let api: FakeApi | undefined;
let child: ChildProcessWithoutNullStreams | undefined;

afterEach(async () => {
  child?.kill("SIGKILL");
  await api?.close();
});

async function start(words: string[], answer: (request: ApiRequest) => ApiAnswer | undefined) {
  api = await fakeApi(answer);
  const env = { PATH: process.env.PATH, GUILDHALL_WORKSPACE: api.workspace };
  child = spawn(process.execPath, [MAIN, ...words], { env });
  return { child, exited: once(child, "exit"), err: text(child.stderr) };
}

describe("the guildhall process", () => {
  it("prints the whole answer and nothing else, and ends by itself", async () => {
    const tasks = Array.from({ length: 1_000 }, () => task({ description: "x".repeat(1_000) }));
    const { child, exited, err } = await start(["task", "list", "--json"], () => ok({ tasks, invalid: [] }));
    expect(JSON.parse(await text(child.stdout))).toEqual({ tasks, invalid: [] });
    expect(await exited).toEqual([0, null]);
    expect(await err).toBe("");
  });

  it("takes values with spaces, emoji, line breaks and dashes as they are", async () => {
    const title = "--json 🚀\n 'x' \"y\" $HOME";
    const { exited } = await start(["task", "add", "-p", "shop", "--", title], () =>
      ok({ success: true, task: task() }),
    );
    await exited;
    expect(api?.requests[0]?.body).toEqual({ title });
  });

  it("reads standard input", async () => {
    const words = ["task", "add", "x", "-p", "shop", "-d", "-"];
    const { child, exited } = await start(words, () => ok({ success: true, task: task() }));
    child.stdin.end("from a pipe\n");
    expect(await exited).toEqual([0, null]);
    expect(api?.requests[0]?.body).toEqual({ title: "x", description: "from a pipe\n" });
  });

  it("ends quietly when its reader goes away", async () => {
    const tasks = Array.from({ length: 1_000 }, () => task({ description: "x".repeat(1_000) }));
    const { child, exited, err } = await start(["task", "list", "--json"], () => ok({ tasks, invalid: [] }));
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect(await exited).toEqual([0, null]);
    expect(await err).toBe("");
  });

  it("ends with 130 on Ctrl-C, even while it follows events", async () => {
    const { child, exited, err } = await start(["events", "tail", "-f", "--json"], ({ path }) =>
      path === "/api/events/log"
        ? ok({ events: [hallEvent(1)] })
        : (response) => void response.writeHead(200).flushHeaders(),
    );
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await exited).toEqual([130, null]);
    expect(await err).toBe("");
  });

  it("ends with the code of the error table", async () => {
    const { exited, err } = await start(["task", "show", "shop/1"], () => undefined);
    expect(await exited).toEqual([3, null]);
    expect(await err).toContain("[route_not_found]");
  });
});
