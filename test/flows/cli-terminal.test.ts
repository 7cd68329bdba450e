import { describe, expect, it } from "vitest";
import { textWidth } from "../../src/cli/text/text-width.ts";
import { boardOf } from "../harness/board.ts";
import { eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { CTRL_C, hasTerminal, inTerminal } from "../harness/terminal.ts";

const hall = sharedHall();
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are taken out here to see what is left
const COLOUR = /\u001b\[\d+m/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: nothing that a terminal acts on may come from data
const ACTIVE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What a command shows in a terminal, without colours, line by line. */
async function shown(line: string, columns: number, env: Record<string, string> = {}): Promise<string[]> {
  const session = inTerminal(line, columns, { GUILDHALL_WORKSPACE: hall().workspace, ...env });
  await session.ended;
  return session.shown().replace(COLOUR, "").replaceAll("\r\n", "\n").trimEnd().split("\n");
}

async function projectOf(id: string) {
  await hall().call("POST", "/api/projects", { id, name: `${id} 日本語 🏛️` });
  return boardOf(hall(), id);
}

describe.runIf(hasTerminal)("in a terminal", { timeout: 180_000 }, () => {
  it("every table fits, and keeps its ids whole", async () => {
    const board = await projectOf("wide");
    for (const title of ["x".repeat(400), "漢字の題名".repeat(30), "👩‍👩‍👧‍👦🇩🇪".repeat(20), "short"])
      await board.add({ title, type: "research", priority: "urgent", labels: ["a"] });
    await board.update("TASK-004", { blockedBy: ["TASK-001", "TASK-002", "TASK-003"] });
    await hall().call("POST", "/api/roles", { template: "researcher", specialty: ["y".repeat(60), "z".repeat(60)] });
    await board.ask("POST", "/team", { roleId: "researcher", skills: ["read", "web_search", "web_fetch"] });
    for (const columns of [40, 60, 80, 120, 200]) {
      const commands = ["task list -p wide", "task list", "project list", "role list", "role templates"];
      const more = ["project team wide", "search short", "events tail"];
      const lines = await shown([...commands, ...more].map((words) => `guildhall ${words}`).join("; "), columns);
      const tooWide = lines.filter((line) => textWidth(line) > columns);
      expect(tooWide, `${columns} columns`).toEqual([]);
      for (const id of ["TASK-001", "TASK-004", "researcher"]) expect(lines.join("\n")).toContain(`${id} `);
    }
  });

  it("nothing from a file acts on it, wherever it is shown", async () => {
    const board = await projectOf("hostile");
    const attack = "a\u001b[31mred\u001b]0;owned\u0007\u009b2J\u202Etxt\rover";
    board.write("TASKS/todo/TASK-001.md", `---\nid: TASK-001\n---\n# ${attack}\n\n## Description\n\n${attack}\n`);
    board.write(`TASKS/todo/TASK-\u001b[31m2.md`, "---\nid: TASK-002\n---\n# x\n");
    board.write(
      "TASKS/todo/TASK-003.md",
      `---\nid: TASK-003\npriority: "${attack.replaceAll("\u001b", "\\e")}"\n---\n`,
    );
    board.write("CONTEXT/notes.md", `${attack}\n`);
    await eventually(
      () => board.list(),
      ({ invalid }) => invalid.length >= 2,
    );
    const commands = ["task list -p hostile", "task show hostile/1", "search red", "events tail", "doctor"];
    const json = commands.map((words) => `${words} --json`);
    for (const words of [...commands, ...json, "task show 'x\u001b[31m' -p hostile"]) {
      const lines = await shown(`guildhall ${words}`, 100);
      expect(
        lines.filter((line) => ACTIVE.test(line)),
        words,
      ).toEqual([]);
    }
  });

  it.each([
    ["is coloured", "guildhall status", {}, true],
    ["is plain with NO_COLOR", "guildhall status", { NO_COLOR: "1" }, false],
    ["is plain with --no-color", "guildhall status --no-color", {}, false],
    ["is plain where the terminal knows no colours", "guildhall status", { TERM: "dumb" }, false],
    ["is plain in a pipe", "guildhall status | cat", {}, false],
    ["is plain as JSON", "guildhall status --json", {}, false],
  ])("output %s", async (_, line, env, coloured) => {
    const session = inTerminal(line, 80, { GUILDHALL_WORKSPACE: hall().workspace, ...env });
    expect(await session.ended).toBe(0);
    expect(session.shown().includes("\u001b[")).toBe(coloured);
  });

  it("Ctrl-C stops the daemon in order, and says so", async () => {
    const session = inTerminal("exec guildhall up --port 0 --no-open", 80, {
      GUILDHALL_WORKSPACE: `${temporaryFolder()}/w`,
    });
    await eventually(session.shown, (text) => text.includes("Stop with Ctrl-C"));
    session.type(CTRL_C);
    expect(await session.ended).toBe(0);
    expect(session.shown()).toMatch(/Stopping… Press Ctrl-C again to quit immediately\.\r\nGuildhall stopped\.\r\n$/);
  });

  it("Ctrl-C ends the following of events", async () => {
    const session = inTerminal("exec guildhall events tail -f", 80, { GUILDHALL_WORKSPACE: hall().workspace });
    await eventually(session.shown, (text) => text.includes("daemon.started"));
    session.type(CTRL_C);
    expect(await session.ended).toBe(130);
  });

  it.each([
    ["n\r", 200],
    ["\u0004", 200],
    [CTRL_C, 200],
    ["y\r", 404],
  ])("a person is asked before a folder goes, and %j decides", async (answer, status) => {
    const id = `asked-${Buffer.from(answer).toString("hex")}`;
    await projectOf(id);
    const session = inTerminal(`exec guildhall project delete ${id} --purge`, 80, {
      GUILDHALL_WORKSPACE: hall().workspace,
    });
    await eventually(session.shown, (text) => text.includes("[y/N]"));
    session.type(answer);
    expect(await session.ended).toBe(answer === CTRL_C ? 130 : 0);
    expect((await hall().call("GET", `/api/projects/${id}`)).status).toBe(status);
  });

  it("an empty hall says what to do next", async () => {
    const { workspace } = await spawnHall();
    const commands = ["project list", "role list", "task list", "run list", "cost", "search x"].map(
      (words) => `guildhall ${words}`,
    );
    const lines = await shown(commands.join("; "), 100, { GUILDHALL_WORKSPACE: workspace });
    expect(lines).toEqual([
      "No projects yet. Create one: guildhall project create NAME",
      "No roles yet. Create one: guildhall role create --template coder",
      "No tasks yet. Add one: guildhall task add TITLE -p PROJECT",
      "No runs yet. Start one: guildhall spawn ROLE TITLE -p PROJECT",
      "No model calls yet.",
      "No matches. Try fewer or shorter words. See 'guildhall search --help' for what is searched.",
    ]);
  });
});
