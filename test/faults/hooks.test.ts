import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { eventually, spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { outputsOf, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { processesNaming, uniqueSleep, untilGone } from "../harness/processes.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";

const PLAY = `
turns:
  - calls: [{tool: exec, input: {command: "echo allowed >> done.txt"}}]
  - calls: [{tool: exec, input: {command: "echo refused >> done.txt"}}]
  - text: Done.
`;

describe.skipIf(!isHere)("a daemon that ends in the middle of a hook", () => {
  it("killed: a call runs once when it is allowed later, never when it is refused, and the hook's processes are gone", {
    timeout: 120_000,
  }, async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const sleep = uniqueSleep();
    const hook = (seconds: string) => {
      const script = `input=$(cat); sleep ${seconds}; case $input in *refused*) echo No. >&2; exit 2 ;; esac`;
      const fields = { event: "PreToolUse", matcher: "exec", command: ["sh", "-c", script], timeoutSeconds: 600 };
      writeFileSync(join(workspace, "hooks/slow.yml"), JSON.stringify(fields));
    };
    const first = await spawnHall(workspace);
    mkdirSync(join(workspace, "hooks"), { recursive: true });
    hook(sleep);
    const { at } = await withCommandsIn(first, { play: PLAY });
    const id = await spawnRun(first, "play", "Guarded", WORKER);
    const inHook = () =>
      eventually(
        () => processesNaming(sleep).length,
        (count) => count > 0,
        20_000,
      );
    await inHook();
    await first.kill();
    await untilGone(sleep);
    expect(existsSync(at("done.txt"))).toBe(false);
    const second = await spawnHall(workspace);
    await inHook();
    await second.kill();
    await untilGone(sleep);
    expect(existsSync(at("done.txt"))).toBe(false);
    hook("0");
    const third = await spawnHall(workspace);
    const run = await untilOver(third, id, 60_000);
    expect(run).toMatchObject({ status: "completed" });
    expect(readFileSync(at("done.txt"), "utf8")).toBe("allowed\n");
    expect(outputsOf(third, id)).toEqual([
      expect.stringMatching(/^exec: Exit code 0/),
      "exec failed: Refused by the hook 'slow': No.",
    ]);
    await third.stop();
  });

  it("stopped: nothing is refused, the call is asked about again", async () => {
    const hook = (seconds: string) =>
      writeFileSync(
        join(first.workspace, "hooks/slow.yml"),
        JSON.stringify({ event: "PreToolUse", matcher: "exec", command: ["sleep", seconds] }),
      );
    const first = await startHall();
    mkdirSync(join(first.workspace, "hooks"), { recursive: true });
    const sleep = uniqueSleep();
    hook(sleep);
    const { at } = await withCommandsIn(first, { play: PLAY });
    const id = await spawnRun(first, "play", "Guarded", WORKER);
    await eventually(
      () => processesNaming(sleep).length,
      (count) => count > 0,
      20_000,
    );
    await first.stop();
    await untilGone(sleep);
    hook("0");
    const second = await startHall(first.workspace);
    expect(await untilOver(second, id, 60_000)).toMatchObject({ status: "completed" });
    expect(readFileSync(at("done.txt"), "utf8")).toBe("allowed\nrefused\n");
    const { hook: shown } = (await second.call("GET", "/api/hooks/slow")).body;
    expect(shown.last30Days).toEqual({ allowed: 2, refused: 0, failed: 0 });
  });
});
