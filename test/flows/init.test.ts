import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textWidth } from "../../src/cli/text/text-width.ts";
import { eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { CTRL_C, hasTerminal, inTerminal, type Session } from "../harness/terminal.ts";

const ESCAPE = "\u001b";
const KEY = "sk-ant-a-key-that-nobody-may-see";

interface Place {
  workspace: string;
  code: string;
  env: Record<string, string>;
}

/** A home of its own, a folder of code in it, and where the workspace will be. */
function place(env: Record<string, string> = {}): Place {
  const home = temporaryFolder();
  const code = join(home, "Web Shop");
  mkdirSync(join(code, ".git"), { recursive: true });
  writeFileSync(join(code, "go.mod"), "module shop\n");
  return { workspace: join(home, ".guildhall"), code, env: { HOME: home, ...env } };
}

function setUp({ code, env }: Place, words = "init", columns = 80): Session {
  return inTerminal(`cd '${code}' && guildhall ${words}`, columns, env);
}

/** Answers each question as soon as it is asked; the last text is only waited for. */
async function talk(session: Session, ...steps: (readonly [string | RegExp, string?])[]): Promise<void> {
  let from = 0;
  for (const [words, keys] of steps) {
    const found = (text: string) => text.slice(from).search(words);
    const text = await eventually(
      async () => session.shown(),
      (shown) => found(shown) !== -1,
    );
    from += found(text) + 1;
    if (keys !== undefined) session.type(keys);
  }
}

const QUESTIONS = {
  key: /API key of a model[^>]*> /,
  model: /Default model for[^>]*> /,
  budget: /Daily model budget[^>]*> /,
  project: /Create a first[^>]*> /,
};
const MORE = { name: /Project name[^>]*> /, roles: /Team roles[^>]*> / };

describe.runIf(hasTerminal)("setting up at a terminal", { timeout: 180_000 }, () => {
  it("asks, takes defaults with Enter, makes workspace, project and team, and says what is next", async () => {
    const at = place({ ANTHROPIC_API_KEY: KEY });
    const session = setUp(at);
    await talk(
      session,
      [QUESTIONS.model, "\r"],
      [QUESTIONS.budget, "12\u007f0\r"],
      [QUESTIONS.project, "\r"],
      [MORE.name, "The Shop\r"],
      [MORE.roles, "\r"],
    );
    expect(await session.ended).toBe(0);
    const shown = session.shown();
    expect(shown).toContain("keys       anthropic (ANTHROPIC_API_KEY)");
    expect(shown).not.toContain(KEY);
    expect(shown).toContain(`Created workspace ${at.workspace}`);
    expect(shown).toContain("Created project the-shop: The Shop");
    expect(shown).toMatch(/Next:\r\n {2}guildhall up\r\n {2}guildhall spawn coder -p the-shop 'Your first task'\r\n/);
    const config = readFileSync(join(at.workspace, "config.yml"), "utf8");
    expect(config).toContain("budget:\n  dayUsd: 10\n");
    expect(config).not.toContain("models:");
    const hall = await spawnHall(at.workspace);
    const { project } = (await hall.call("GET", "/api/projects/the-shop")).body;
    expect(project).toMatchObject({ workdir: at.code, team: [{ roleId: "coder" }, { roleId: "reviewer" }] });
    expect((await guildhall(["audit", "verify"], { workspace: at.workspace })).code).toBe(0);
    await hall.stop();
  });

  it.each([
    ["Ctrl-C", CTRL_C],
    ["Esc", ESCAPE],
  ])("leaves with %s in the middle, with nothing made", async (_, keys) => {
    const at = place();
    const session = setUp(at);
    await talk(
      session,
      [/No API key or local model/],
      [QUESTIONS.key, "\r"],
      [QUESTIONS.model, "\r"],
      [QUESTIONS.budget, `3${keys}`],
    );
    expect(await session.ended).toBe(130);
    expect(session.shown()).toContain("Canceled. Nothing was created.");
    expect(existsSync(at.workspace)).toBe(false);
  });

  it("asks again after what cannot be taken, and skips the rest with s, without a project", async () => {
    const at = place();
    const session = setUp(at);
    await talk(
      session,
      [QUESTIONS.key, "\r"],
      [QUESTIONS.model, "gpt\r"],
      [/'gpt' is not a model/],
      [QUESTIONS.model, "openai/gpt-5\r"],
    );
    await talk(session, [QUESTIONS.budget, "s\r"]);
    expect(await session.ended).toBe(0);
    expect(readFileSync(join(at.workspace, "config.yml"), "utf8")).toContain("default: openai/gpt-5");
    expect(session.shown()).toContain("No key for openai found");
    expect(readdirSync(join(at.workspace, "projects"))).toEqual([]);
  });

  it("asks nothing with --yes and makes the workspace alone", async () => {
    const at = place();
    const session = setUp(at, "init --yes");
    expect(await session.ended).toBe(0);
    expect(session.shown()).toBe(`Created workspace ${at.workspace}\r\nStart the daemon with: guildhall up\r\n`);
    expect(readdirSync(join(at.workspace, "projects"))).toEqual([]);
  });

  it("shows what is there the second time and offers only what is missing, also while the daemon is up", async () => {
    const at = place();
    const first = setUp(at);
    await talk(first, [QUESTIONS.key, "s\r"]);
    expect(await first.ended).toBe(0);
    const hall = await spawnHall(at.workspace);
    const second = setUp(at);
    await talk(
      second,
      [/workspace +\S+ \(existing\)/],
      [QUESTIONS.key, "\r"],
      [QUESTIONS.model, "\r"],
      [QUESTIONS.budget, "\r"],
    );
    await talk(second, [QUESTIONS.project, "y\r"], [MORE.name, "\r"], [MORE.roles, "none\r"]);
    expect(await second.ended).toBe(0);
    expect((await hall.call("GET", "/api/projects/web-shop")).body.project).toMatchObject({
      workdir: at.code,
      team: [],
    });
    const third = setUp(at);
    expect(await third.ended).toBe(0);
    expect(third.shown()).toMatch(/projects +1\r\n/);
    expect(third.shown()).not.toContain("> ");
    await hall.stop();
  });

  it("is plain text that fits into 40 columns of a terminal that knows nothing", async () => {
    const at = place({ TERM: "dumb", NO_COLOR: "1" });
    const session = setUp(at, "init", 40);
    await talk(session, [QUESTIONS.key, "\r"], [QUESTIONS.model, "\r"], [QUESTIONS.budget, "\r"]);
    await talk(session, [QUESTIONS.project, "no\r"], [/Next:/]);
    expect(await session.ended).toBe(0);
    expect(session.shown()).not.toContain(ESCAPE);
    const lines = session.shown().replaceAll("\r\n", "\n").split("\n");
    // A path stays whole, so that it can be copied.
    expect(lines.filter((line) => textWidth(line) > 40 && !line.includes("/"))).toEqual([]);
  });
});
