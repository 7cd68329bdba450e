import { describe, expect, it, onTestFinished } from "vitest";
import { pictureOf } from "../fakes/terminal-picture.ts";
import { eventually, spawnHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";
import { CTRL_C, hasTerminal, inTerminal, type Session } from "../harness/terminal.ts";
import { workspaceWith } from "../harness/workspace-config.ts";

/** A daemon of its own, whose default model follows a script. */
async function talkative(script: Script) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const own = { kind: "openai-compatible", baseUrl: `${provider.url}/v1` };
  const workspace = workspaceWith(JSON.stringify({ providers: { own }, models: { default: "own/m" } }));
  return { provider, hall: await spawnHall(workspace) };
}

function talk(workspace: string, columns: number): Session {
  return inTerminal("exec guildhall chat", columns, { GUILDHALL_WORKSPACE: workspace, NO_COLOR: "1" });
}

const linesOf = (session: Session, columns: number) => pictureOf(session.shown(), columns).lines;

describe("talking in a pipe", () => {
  it("answers with the offline model, in both kinds of conversation, and tells a failure by its code", async () => {
    const { hall, provider } = await talkative([]);
    const { workspace } = hall;
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop", model: "offline/rehearsal" });
    const project = await guildhall(["project", "talk", "shop"], { workspace, input: "What is open?\n" });
    expect(project).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("offline model") });
    expect(await guildhall(["chat", "Hello"], { workspace })).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("The script is at its end."),
    });
    provider.play(() => ({ text: "Hello, person." }));
    expect(await guildhall(["chat", "Hello"], { workspace })).toEqual({
      code: 0,
      stdout: "Hello, person.\n",
      stderr: "",
    });
    expect(await guildhall(["chat"], { workspace })).toMatchObject({ code: 2, stdout: "" });
  });
});

describe.runIf(hasTerminal)("talking in a terminal", { timeout: 180_000 }, () => {
  it("shows answers as they are written, stops one with Ctrl-C, and lives through the death of the daemon", async () => {
    const columns = 40;
    const { hall, provider } = await talkative(() => ({
      text: "Growing and growing, and never whole.",
      hang: "middle",
    }));
    const session = talk(hall.workspace, columns);
    const sees = (line: string | RegExp) =>
      eventually(
        () => linesOf(session, columns),
        (lines) => lines.some((each) => (typeof line === "string" ? each === line : line.test(each))),
      );
    await sees("›");
    session.type("Tell me\r");
    await sees(/^│ Growing/);
    session.type("typed meanwhile");
    await sees("› typed meanwhile");
    session.type(CTRL_C);
    await sees("Answer stopped.");
    expect(linesOf(session, columns).at(-1)).toBe("› typed meanwhile");
    session.type("\r");
    await eventually(
      () => provider.requests.length,
      (count) => count === 2,
    );
    await hall.kill();
    await sees(/^Lost the connection to the daemon\./);
    session.type("said while it was away\r");
    provider.play(({ text }) => ({ text: `You said 漢字: ${text.split("\n").at(-1)}` }));
    const { call } = await spawnHall(hall.workspace);
    await sees("│ You said 漢字: typed meanwhile");
    await sees("│ You said 漢字: said while it was away");
    session.type("\u0004");
    expect(await session.ended).toBe(0);
    const { messages } = (await call("GET", "/api/chat?type=cli")).body;
    const said = messages.filter(({ from }: { from: string }) => from === "person");
    expect(said.map(({ text }: { text: string }) => text)).toEqual([
      "Tell me",
      "typed meanwhile",
      "said while it was away",
    ]);
  });
});
