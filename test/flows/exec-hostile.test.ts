import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { HOSTILE_COMMANDS } from "../cases/hostile-commands.ts";
import { eventually, startHall, temporaryFolder } from "../harness/daemon.ts";
import { outputsOf, play, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { hostileTarget } from "../harness/hostile-target.ts";
import { processesNaming, projectProcesses } from "../harness/processes.ts";
import { entriesOf, journalOf, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const isHere = here.name !== "none" && process.platform === "linux";
const skipped = isHere ? "" : ` (skipped: ${here.detail})`;

const CHOSEN = /^(a fork bomb|sequences|a process forked|deafness|ending the daemon|looking into|a hook|removing|NUL)/;

describe.skipIf(!isHere)(`an agent that runs whatever it is told${skipped}`, () => {
  it("harms neither the daemon nor another project, and leaves nothing running", async () => {
    const target = await hostileTarget(temporaryFolder());
    const chosen = HOSTILE_COMMANDS.filter(({ name }) => CHOSEN.test(name));
    const turns = chosen.map(({ command, timeoutSeconds }) => {
      const text = `: ${target.mark}; ${command(target)}`;
      return { calls: [{ tool: "exec", input: { command: text, ...(timeoutSeconds ? { timeoutSeconds } : {}) } }] };
    });
    const { hall, at } = await withCommandsIn(await startHall(), {
      play: JSON.stringify({ turns: [...turns, { text: "Did it all." }] }),
      quick: "turns: [{text: Done.}]",
    });
    const git = (...words: string[]) =>
      execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@t", ...words], { cwd: at("."), encoding: "utf8" });
    git("init", "-q", "-b", "main");
    git("commit", "-q", "--allow-empty", "-m", "The first");
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { sandbox: { processes: 24 } } });
    await hall.call("POST", "/api/projects", { id: "other", name: "Other" });
    const { run, outputs } = await play(hall, "play");
    expect([run.status, run.error]).toEqual(["completed", undefined]);
    for (const [place, { name, says }] of chosen.entries())
      expect(outputs[place]?.replace(/^exec( failed)?: /, ""), name).toMatch(says);
    const stopped = entriesOf(journalOf(hall.workspace, run.id), "result").flatMap((entry) => entry.stopped ?? []);
    expect(stopped.at(-1)).toBe("time");
    expect(JSON.stringify(journalOf(hall.workspace, run.id))).not.toContain("\\u001b");
    await eventually(
      () => processesNaming(target.mark).filter((pid) => !projectProcesses(hall.workspace).includes(pid)),
      ({ length }) => length === 0,
      2_000,
    );
    expect(readdirSync(at(".git/hooks"))).not.toContain("post-checkout");
    expect([target.visits(), target.isBystanderAlive()]).toEqual([0, true]);
    expect((await hall.call("GET", "/api/health")).body).toMatchObject({ status: "ok", sandbox: here.name });
    const elsewhere = await spawnRun(hall, "quick", "Elsewhere", { projectId: "other" });
    expect((await untilOver(hall, elsewhere)).status).toBe("completed");
  });

  it("shows nobody a secret that it says in two halves: not live, not in the journal, not in what is kept", async () => {
    const secret = "canary-Zx81kqLw09bVnM";
    const command = "echo begun; cat half; read go < go; cat rest; echo; seq 1 20000; cat half; cat rest";
    const { hall, at } = await withCommandsIn(await startHall(), {
      play: JSON.stringify({
        turns: [{ calls: [{ tool: "exec", input: { command } }] }, { text: "It said {{last.exec}}" }],
      }),
    });
    writeFileSync(at(".env"), `SERVICE_KEY=${secret}\n`);
    writeFileSync(at("half"), secret.slice(0, 9));
    writeFileSync(at("rest"), secret.slice(9));
    execFileSync("mkfifo", [at("go")]);
    const stop = new AbortController();
    const headers = { authorization: `Bearer ${hall.token}` };
    const live = await fetch(`${hall.url}/api/live?topics=runs&deltas=*`, { headers, signal: stop.signal });
    let heard = "";
    const listening = (async () => {
      for await (const chunk of live.body ?? []) heard += Buffer.from(chunk as Uint8Array).toString("utf8");
    })().catch(() => undefined);
    const id = await spawnRun(hall, "play", "Two halves", WORKER);
    await eventually(
      () => heard,
      (text) => /"kind":"output".*begun/.test(text),
    );
    await writeFile(at("go"), "go\n");
    const run = await untilOver(hall, id);
    await eventually(
      () => heard,
      (text) => text.includes("[secret: SERVICE_KEY]"),
    );
    stop.abort();
    await listening;
    expect(run.result?.output).toContain("[secret: SERVICE_KEY]");
    expect(outputsOf(hall, id)[0]).toContain("read 'output:");
    const kept = filesBelow(hall.workspace).filter((path) => path.includes(".outputs/"));
    expect(kept.map((path) => readFileSync(path, "utf8").match(/\[secret: SERVICE_KEY\]/g)?.length)).toEqual([2]);
    // The checkpoint of the folder has the files themselves.
    const own = [secret.slice(0, 9), secret.slice(9)];
    const files = filesBelow(hall.workspace).map((path) => readFileSync(path, "latin1"));
    const everything = [heard, ...files.filter((text) => !own.includes(text))];
    for (const part of own) expect(everything.filter((text) => text.includes(part))).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
