import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { withCommandsIn } from "../harness/hall-with-commands.ts";
import { uniqueSleep, untilFound, untilGone } from "../harness/processes.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { afterAllTests, temporaryFolder } from "../harness/temporary-folder.ts";
import { wanted } from "../harness/workspace.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";

describe.skipIf(!isHere)("hostile hooks", () => {
  let hall: Hall;
  let at: (path: string) => string;
  const later = afterAllTests();
  beforeAll(async () => {
    hall = await startHall(undefined, { later });
    mkdirSync(join(hall.workspace, "hooks"), { recursive: true });
    ({ at } = await withCommandsIn(hall, {}, later));
    writeFileSync(at(".env"), "TOKEN=canary-of-the-project-0123456789\n");
  });

  const inHooks = (name: string) => join(hall.workspace, "hooks", name);

  /** What a hook says that runs this. */
  async function said(name: string, fields: object) {
    writeFileSync(inHooks(`${name}.yml`), JSON.stringify({ event: "PreToolUse", ...fields }));
    const input = { project_id: PROJECT, tool_name: "exec", tool_input: { command: "echo hello" } };
    return wanted(200, hall.call("POST", `/api/hooks/${name}/test`, { input }));
  }
  const shell = (name: string, script: string, more: object = {}) =>
    said(name, { command: ["sh", "-c", script], ...more });

  it("that hang are ended with everything they started", async () => {
    const sleep = uniqueSleep();
    const hung = await shell("hang", `setsid sleep ${sleep} & trap '' TERM; sleep ${sleep}`, { timeoutSeconds: 0.5 });
    expect(hung).toMatchObject({ outcome: "failed", text: "it exceeded its time limit of 0.5 s" });
    expect(hung.ms).toBeLessThan(5_000);
    await untilGone(sleep);
    const left = await shell("daemon", `setsid sleep ${sleep} >/dev/null 2>&1 & exit 0`);
    expect(left.outcome).toBe("allowed");
    await untilGone(sleep);
  });

  it("that fork, print 100 MB or use up memory harm nobody and allow nothing", async () => {
    expect(await shell("forks", "f() { f | f & }; f; sleep 5", { timeoutSeconds: 3 })).toMatchObject({
      outcome: "failed",
    });
    expect(await shell("prints", "head -c 100000000 /dev/zero")).toMatchObject({ outcome: "failed" });
    const loud = await shell("loud", "head -c 100000000 /dev/zero >&2; exit 2");
    expect(loud).toMatchObject({ outcome: "failed", text: "it printed more than 4 MB" });
    const late = await shell("late", `yes checked | head -c 200000; printf '\\n{"decision":"block","reason":"No."}'`);
    expect(late).toMatchObject({ outcome: "refused", text: "No." });
    const wordy = await shell("wordy", "head -c 200000 /dev/zero | tr '\\0' x >&2; exit 2");
    expect([wordy.outcome, wordy.text.length < 9_000]).toEqual(["refused", true]);
  });

  it("see no secrets and no environment, and write nowhere but in their own /tmp", async () => {
    const outside = join(temporaryFolder(), "outside.txt");
    const targets = [outside, at("made.txt"), inHooks("made.txt"), join(hall.workspace, "made.txt")];
    const tries = targets.map((path) => `echo x > '${path}'`).join("; ");
    const script = `${tries}; echo x > /tmp/mine; { cat /tmp/mine .env '${hall.workspace}/.guildhall/token'; env; } >&2; exit 2`;
    const { outcome, text } = await shell("writes", script);
    expect([outcome, targets.filter((path) => existsSync(path))]).toEqual(["refused", []]);
    expect(text).not.toContain("canary");
    expect(text).not.toContain(readFileSync(join(hall.workspace, ".guildhall/token"), "utf8").trim());
    expect(text).not.toMatch(/^(?:GUILDHALL|NODE|VITEST|npm)_/m);
    const reach = `exec 3<>/dev/tcp/127.0.0.1/${new URL(hall.url).port}`;
    expect((await said("calls", { command: ["bash", "-c", reach] })).outcome).toBe("failed");
  });

  it.skipIf(!existsSync("/usr/bin/python3"))("take no module of the working folder for one of Python's", async () => {
    writeFileSync(at("json.py"), "import os\nos._exit(0)\n");
    writeFileSync(inHooks("rules.py"), "CODE = 2\n");
    writeFileSync(inHooks("check.py"), "import json, sys, rules\nsys.exit(rules.CODE)\n");
    const program = "import json, sys; json.load(sys.stdin); sys.exit(2)";
    expect(await said("python", { command: ["python3", "-c", program] })).toMatchObject({ outcome: "refused" });
    expect(await said("check", { command: ["python3", "check.py"] })).toMatchObject({ outcome: "refused" });
    rmSync(at("json.py"));
  });

  it("that crash, are missing, not executable or deleted, or say half a JSON, are failures", async () => {
    writeFileSync(inHooks("plain.sh"), "#!/bin/sh\nexit 0\n", { mode: 0o644 });
    chmodSync(inHooks("plain.sh"), 0o644);
    const ends = [
      await shell("signal", "kill -SEGV $$"),
      await said("missing", { command: ["./nowhere.sh"] }),
      await said("plain", { command: ["./plain.sh"] }),
      await shell("half", `printf '{"decision": "app'`),
      await said("unknown", { command: ["no-such-program-anywhere"] }),
    ];
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array(5).fill("failed"));
    writeFileSync(inHooks("gone.sh"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    expect((await said("gone", { command: ["./gone.sh"] })).outcome).toBe("allowed");
    expect((await said("read", { command: ["sh", "gone.sh"] })).outcome).toBe("allowed");
    rmSync(inHooks("gone.sh"));
    expect((await said("gone", { command: ["./gone.sh"] })).outcome).toBe("failed");
    // A file of the same name that an agent made is not run in its place.
    writeFileSync(at("gone.sh"), "exit 0\n");
    expect((await said("read", { command: ["sh", "gone.sh"] })).outcome).not.toBe("allowed");
  });

  it("of a repository count for nothing when their files were swapped while they ran, even if only for a moment", async () => {
    const sleep = uniqueSleep();
    const guard = at(".claude/hooks/guard.sh");
    mkdirSync(at(".claude/hooks"), { recursive: true });
    writeFileSync(guard, `sleep ${sleep} & while [ ! -e go ]; do sleep 0.02; done; exit 0\n`);
    const settings = {
      hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "sh .claude/hooks/guard.sh" }] }] },
    };
    writeFileSync(at(".claude/settings.json"), JSON.stringify(settings));
    const name = encodeURIComponent(`${PROJECT}:PreToolUse-1`);
    const { hook } = await wanted(200, hall.call("GET", `/api/hooks/${name}`));
    await wanted(200, hall.call("POST", `/api/hooks/${name}/accept`, { hash: hook.hash }));
    const swaps = {
      none: () => undefined,
      "the file": () => swapForAMoment(guard, () => writeFileSync(guard, "exit 0\n")),
      "its folder": () => swapForAMoment(at(".claude/hooks"), () => mkdirSync(at(".claude/hooks"))),
      "the folder above": () => swapForAMoment(at(".claude"), () => mkdirSync(at(".claude"))),
    };
    for (const [what, swap] of Object.entries(swaps)) {
      const tried = wanted(200, hall.call("POST", `/api/hooks/${name}/test`, {}));
      await untilFound(sleep);
      swap();
      writeFileSync(at("go"), "");
      const changed = "its files were changed or replaced while it ran";
      const { outcome, text } = await tried;
      expect([what, outcome, text]).toEqual([what, ...(what === "none" ? ["allowed", ""] : ["failed", changed])]);
      rmSync(at("go"));
      await untilGone(sleep);
    }
    rmSync(at(".claude"), { recursive: true });
  });

  it("at an address that redirects, answers without end, or not at all, are failures", async () => {
    const server = createServer((request, response) => {
      if (request.url === "/redirect") response.writeHead(307, { location: "/fine" }).end();
      else if (request.url === "/endless") {
        const more = () => response.write("x".repeat(65_536), more);
        response.on("error", () => undefined);
        more();
      } else if (request.url === "/fine") response.end('{"decision":"approve"}');
      else if (request.url === "/no") response.end('{"decision":"block","reason":"Not today."}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    later(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const end = async (path: string) => said("http", { url: `${url}${path}`, timeoutSeconds: 1 });
    expect(await end("/fine")).toMatchObject({ outcome: "allowed" });
    expect(await end("/no")).toMatchObject({ outcome: "refused", text: "Not today." });
    expect(await end("/redirect")).toMatchObject({ outcome: "failed" });
    expect(await end("/endless")).toMatchObject({ outcome: "failed", text: "it answered with more than 64 kB" });
    expect(await end("/silent")).toMatchObject({ outcome: "failed", text: "it did not answer within 1 s" });
  });
});

/** Afterwards everything is as it was, but for the time of its last change. */
function swapForAMoment(path: string, putOther: () => void): void {
  renameSync(path, `${path}.away`);
  putOther();
  rmSync(path, { recursive: true });
  renameSync(`${path}.away`, path);
}
