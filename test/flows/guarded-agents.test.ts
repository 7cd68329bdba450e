import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually } from "../harness/daemon.ts";
import { held, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { entriesOf, journalOf, untilOver } from "../harness/spawned-runs.ts";
import { wanted } from "../harness/workspace.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";

describe.skipIf(!isHere)("agents that live on", () => {
  let shop: ScriptedHall;
  beforeAll(async () => {
    shop = await scriptedHall([], { later: afterAll });
    const { hall } = shop;
    await wanted(201, hall.call("POST", "/api/roles", { template: "tester" }));
    // Coders ask before they fetch a page, testers don't.
    await wanted(201, hall.call("POST", "/api/projects/shop/team", { roleId: "coder", ask: ["web_fetch"] }));
    await wanted(201, hall.call("POST", "/api/projects/shop/team", { roleId: "tester" }));
  });
  const hook = (name: string) => join(shop.hall.workspace, "hooks", name);
  const write = (name: string, text: string) => {
    mkdirSync(hook(""), { recursive: true });
    writeFileSync(hook(name), text, { mode: 0o755 });
  };
  const guard = (tool: string, command: string) =>
    write("guard.yml", `event: PreToolUse\nmatcher: ${tool}\ncommand: [sh, -c, ${JSON.stringify(command)}]\n`);
  beforeEach(() => rmSync(hook(""), { recursive: true, force: true }));

  /** What the agent was told, when it makes these calls. */
  async function told(calls: Turn[], to: "main" | "shop"): Promise<{ said: string[]; answers: string[] }> {
    const { hall, provider } = shop;
    const before = provider.requests.length;
    provider.play([...calls, { text: "Done." }, { text: "Done." }]);
    const body = { text: "Do it in shop." };
    const { answers } =
      to === "main"
        ? await wanted(201, hall.call("POST", "/api/chat?wait=30", body))
        : await wanted(201, hall.call("POST", "/api/projects/shop/messages?wait=30", body));
    const seen = provider.requests.slice(before);
    return { said: seen.flatMap(resultsIn), answers: answers.map(({ text }) => text) };
  }
  const resultsIn = ({ results }: SeenRequest) => results.map(({ output }) => output);
  const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });

  const askOf = (runId: string) => entriesOf(journalOf(shop.hall.workspace, runId, "shop"), "plan")[0]?.plan.ask;
  const firstRun = async (isIt: (run: Run) => boolean) => {
    const runs = async () => (await shop.hall.call("GET", "/api/runs?limit=100")).body.runs.filter(isIt);
    const [run] = await eventually(runs, ({ length }) => length > 0);
    return run?.id ?? "";
  };

  it.each([
    ["shop", "project:shop"],
    ["main", "main"],
  ] as const)("are asked about their calls as runs are (%s)", async (to, session) => {
    guard("memory_write", "cat > /dev/null; echo 'No notes here.' >&2; exit 2");
    write("after.yml", "event: PostToolUse\nmatcher: memory_list\ncommand: [sh, -c, 'cat >&2; exit 2']\n");
    const note = { path: "facts/paint.md", content: "Green." };
    const { said, answers } = await told([call("memory_write", note), call("memory_list", {})], to);
    expect(said[0]).toContain("Refused by the hook 'guard': No notes here.");
    // What the hook was told comes back with the result.
    expect(said.at(-1)).toContain(`"session_id":"${session}"`);
    expect(said.at(-1)).toContain('"tool_name":"memory_list"');
    expect(answers).toEqual(["Done."]);
    const { hook: listed, recent } = await wanted(200, shop.hall.call("GET", "/api/hooks/guard"));
    expect(listed.last30Days.refused).toBeGreaterThan(0);
    expect(recent[0]).toMatchObject({ outcome: "refused", text: "No notes here." });
    const file = session === "main" ? "session/current.jsonl" : "projects/shop/session/current.jsonl";
    expect(readFileSync(join(shop.hall.workspace, file), "utf8")).toContain('"type":"hook"');
  });

  it("give their answer when a hook refuses everything, and are held by one that fails", async () => {
    guard("'*'", "exit 1");
    const { said, answers } = await told([call("task_create", { title: "Paint" })], "shop");
    expect(said[0]).toContain("Refused, because the hook 'guard' did not work");
    expect(answers).toEqual(["Done."]);
    const { tasks } = await wanted(200, shop.hall.call("GET", "/api/projects/shop/tasks"));
    expect(tasks.filter(({ title }) => title === "Paint")).toEqual([]);
  });

  const switchGuard = (enabled: boolean) => shop.hall.call("PUT", "/api/hooks/guard", { enabled });
  it("are held by a hook that comes while they answer", async () => {
    guard("task_create", "cat > /dev/null; exit 2");
    await wanted(200, switchGuard(false));
    const asked = held();
    const guarded = held();
    const turns: Turn[] = [call("memory_list", {}), call("task_create", { title: "Late" }), { text: "Done." }];
    const said: string[] = [];
    shop.provider.play(async ({ results }) => {
      said.push(...results.map(({ output }) => output));
      asked.open();
      if (results.length > 0) await guarded.opened;
      return turns.shift() ?? { text: "Done." };
    });
    const going = shop.hall.call("POST", "/api/projects/shop/messages?wait=30", { text: "Go on." });
    await asked.opened;
    await wanted(200, switchGuard(true));
    guarded.open();
    await going;
    expect(said.at(-1)).toContain("Refused by the hook 'guard'");
  });

  it("ask as the run does whose words they act on: what they start, and what they would do themselves", async () => {
    const { hall, provider } = shop;
    const spawn = (role: string) => call("spawn_subagent", { role, title: `As ${role}`, description: "Do it." });
    const fetch = call("web_fetch", { url: "https://example.com/secret" });
    const said: string[] = [];
    const begun = [spawn("coder")];
    const informed = [fetch, spawn("tester")];
    provider.play(({ tools, text, results }) => {
      if (!tools.includes("session_archive_read")) return { text: "Fetch the secret." };
      said.push(...results.map(({ output }) => output));
      if (text.includes("completed")) return informed.shift() ?? { text: "Done." };
      if (text.includes("Begin.")) return begun.shift() ?? { text: "Done." };
      return (results[0]?.output.includes("permission") && informed.shift()) || { text: "Done." };
    });
    await wanted(201, hall.call("POST", "/api/projects/shop/messages?wait=30", { text: "Begin." }));
    const second = await firstRun(({ title }) => title === "As tester");
    await untilOver(hall, second);
    expect(said.join("\n")).toContain("needs the person's permission for this tool");
    expect(askOf(second)).toEqual(["web_fetch"]);
  });

  /** What the project's agent does on certain words, once each; its runs end at once, and questions wait for the person. */
  function playAgent(steps: [words: string, turn: Turn][]) {
    const left = [...steps];
    shop.provider.play(({ tools, text }) => {
      if (tools.includes("decide")) return { hang: true };
      if (!tools.includes("session_archive_read")) return { text: "Fetch the secret." };
      const at = left.findIndex(([words]) => text.includes(words));
      const [step] = at === -1 ? [] : left.splice(at, 1);
      return step?.[1] ?? { text: "Done." };
    });
  }

  it("ask as that run does also when they act on the answer to a question that they asked because of it", async () => {
    const spawn = (role: string, title: string) => call("spawn_subagent", { role, title, description: "Do it." });
    const question = { type: "decision", question: "Which page shall be read?" };
    playAgent([
      ["Begin.", spawn("coder", "Look for pages")],
      ["completed", call("escalate", question)],
      ["The first.", spawn("tester", "Read the page")],
    ]);
    await wanted(201, shop.hall.call("POST", "/api/projects/shop/messages?wait=30", { text: "Begin." }));
    const [asked] = await eventually(
      async () => (await shop.hall.call("GET", "/api/escalations?limit=100")).body.escalations,
      (all) => all.some((one) => one.question === question.question),
    );
    await wanted(200, shop.hall.call("POST", `/api/escalations/${asked?.id}/resolve`, { resolution: "The first." }));
    expect(askOf(await firstRun(({ title }) => title === "Read the page"))).toEqual(["web_fetch"]);
  });

  it("ask as their runs do when they lead on, with runs and with teams", async () => {
    const { hall } = shop;
    const doors = { slug: "doors", title: "Doors", goals: ["Open"] };
    await wanted(201, hall.call("POST", "/api/projects/shop/initiatives", doors));
    const tasks: string[] = [];
    for (const title of ["Paint it", "Test it", "Ship it"])
      tasks.push((await wanted(201, hall.call("POST", "/api/projects/shop/tasks", { title, plan: "doors" }))).task.id);
    const [paint, test, ship] = tasks;
    playAgent([
      ["Check first whether its plan", call("start_task", { task: paint, by: "run", role: "coder" })],
      ["Continue with the next", call("start_task", { task: test, by: "run", role: "tester" })],
      ["Continue with the next", call("start_task", { task: ship, by: "team" })],
    ]);
    await wanted(201, hall.call("POST", "/api/projects/shop/initiatives/doors/lead", {}));
    expect(askOf(await firstRun(({ title }) => title === "Test it"))).toEqual(["web_fetch"]);
    expect(askOf(await firstRun(({ team }) => team !== undefined))).toEqual(["web_fetch"]);
  });
});
