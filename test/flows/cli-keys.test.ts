import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { startGuildhall } from "../harness/guildhall.ts";
import { type ScriptedProvider, startProvider } from "../harness/scripted-provider.ts";
import { hasTerminal, inTerminal } from "../harness/terminal.ts";

const KEY = "test-KEY-0123456789abcdef";
const env = { OLLAMA_HOST: "127.0.0.1:9" };

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startProvider(() => ({ text: "Hello." }), { models: ["small-1"], key: () => KEY });
});
afterAll(() => provider.close());

const workspaceHere = () => join(temporaryFolder(), "workspace");
const setLab = (workspace: string, input = ` "${KEY}" \n`) =>
  commandLine(["key", "set", "lab", "--base-url", provider.url, "--stdin"], { workspace, input, env });

describe("guildhall key", { timeout: 60_000 }, () => {
  it("sets, lists, tests and removes a key while no daemon runs, and says so", async () => {
    const workspace = workspaceHere();
    const set = await setLab(workspace);
    expect({ ...set, stdout: set.stdout.replace(/in \d+ ms/, "in N ms") }).toEqual({
      code: 0,
      stdout:
        "The key works: lab/small-1 answered in N ms. 1 model available.\nSaved. Default model: lab/small-1\nThe daemon is not running; the key is used when it starts.\n",
      stderr: "",
    });
    expect(readFileSync(join(workspace, ".guildhall/secrets"), "utf8")).toContain(`LAB_API_KEY=${KEY}\n`);
    expect((await commandLine(["key", "list"], { workspace, env })).stdout).toMatch(
      /^NAME .*\nlab +stored .*\nDefault model: lab\/small-1\n$/,
    );
    expect(await commandLine(["key", "test", "lab", "--json"], { workspace, env })).toMatchObject({ code: 0 });
    const wrong = await setLab(workspace, "test-WRONG-0123456789");
    expect([wrong.code, wrong.stdout]).toEqual([5, ""]);
    expect(wrong.stderr).toMatch(/rejected the key\. Nothing was saved\..*\[key_rejected\]/s);
    expect(wrong.stderr).not.toContain("WRONG");
    expect((await commandLine(["key", "remove", "lab"], { workspace, env })).stdout).toBe(
      "Removed the key for lab. Default model: offline/rehearsal\n",
    );
    const none = await commandLine(["key", "set", "anthropic"], { workspace, env });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("--stdin")]);
  });

  it("reaches a running daemon at once, which keeps it over a restart with changed settings", async () => {
    const workspace = workspaceHere();
    const up = startGuildhall(["up", "--port", "0", "--no-open", "--no-build"], { workspace, env });
    onTestFinished(() => up.signal("SIGKILL"));
    await eventually(
      () => up.said.stdout,
      (text) => text.includes("Guildhall is up at"),
    );
    const url = /up at (\S+)/.exec(up.said.stdout)?.[1];
    const set = await setLab(workspace);
    expect([set.code, set.stdout]).toEqual([0, expect.stringMatching(/Saved\. Default model: lab\/small-1\n$/)]);
    expect((await commandLine(["doctor", "--test-model"], { workspace, env })).stdout).toContain("lab/small-1");
    const changed = await commandLine(["config", "set", "limits.runs", "5"], { workspace, env });
    expect(changed.stdout).toMatch(/^Set limits\.runs\. Takes effect after a restart: guildhall restart/);
    expect((await commandLine(["config", "set", "limits.runs", "0"], { workspace, env })).stderr).toMatch(
      /limits\.runs/,
    );
    const again = await commandLine(["restart"], { workspace, env });
    expect(again).toMatchObject({ code: 0, stdout: `Guildhall restarted and is up at ${url}\n` });
    expect((await commandLine(["config", "get", "limits.runs"], { workspace, env })).stdout).toMatch(/value +5\n/);
    expect((await commandLine(["config", "reset", "limits.runs"], { workspace, env })).code).toBe(0);
    expect((await commandLine(["key", "test", "lab"], { workspace, env })).stdout).toContain("The key works");
    up.signal("SIGINT");
    expect(await up.ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Restarting…\n") });
  });
});

describe.runIf(hasTerminal)("a key at a terminal", { timeout: 60_000 }, () => {
  it("is asked for and not shown", async () => {
    const workspace = workspaceHere();
    const line = `guildhall key set lab --base-url ${provider.url} --workspace '${workspace}'`;
    const session = inTerminal(line, 80, env);
    await eventually(
      async () => session.shown(),
      (text) => text.includes("(hidden): "),
    );
    session.type(`${KEY}\r`);
    expect(await session.ended).toBe(0);
    expect(session.shown()).toContain("The key works");
    expect(session.shown()).not.toContain(KEY);
  });
});
