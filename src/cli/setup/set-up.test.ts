import { describe, expect, it } from "vitest";
import { type FakeHost, fakeHost } from "../../../test/fakes/cli-host.ts";
import { HallError } from "../../contract/errors.ts";
import type { FirstLook } from "../../contract/first-look.ts";
import type { DaemonModule } from "../host.ts";
import { runCommandLine } from "../run.ts";

const techStack = { languages: ["Go"], frameworks: [], tools: [] };
const found: FirstLook = {
  workspace: "/nowhere/hall",
  isNew: true,
  folder: { path: "/code/shop", name: "shop", isGit: true, suggestedId: "shop", techStack },
  providers: [],
  clis: [{ name: "claude", path: "/bin/claude" }],
  defaultModel: "offline/rehearsal",
  secretsFile: "/nowhere/hall/.guildhall/secrets",
  isOffline: true,
  models: ["offline/rehearsal"],
  roleTemplates: ["coder"],
  templates: ["coder"],
  projects: 0,
  dayUsd: 25,
  chosen: { model: true, budget: true },
};

interface Visit {
  host: FakeHost;
  made: unknown[];
  code: Promise<number>;
}

/** A person at the keyboard, in front of `guildhall init`, who was asked whether to make a project. */
async function visit(doors: Partial<DaemonModule> = {}, words: string[] = []): Promise<Visit> {
  const made: unknown[] = [];
  const daemon: Partial<DaemonModule> = {
    lookFirst: async () => found,
    initWorkspace: async ({ workspace, settings }) => {
      made.push({ workspace, settings });
      return { created: true, path: workspace };
    },
    beginAtRest: async ({ body }) => {
      made.push(body);
      return { projectId: "shop", name: body.name ?? "", workdir: body.path, roles: body.roles ?? [] };
    },
    ...doors,
  };
  const host = fakeHost({ keyboard: true, terminal: 80, daemon });
  const asked = Promise.withResolvers<void>();
  const { write } = host.out;
  host.out.write = (text) => {
    write(text);
    if (text === "> ") asked.resolve();
  };
  const code = runCommandLine(["init", "--workspace", "/nowhere/hall", ...words], host);
  await Promise.race([asked.promise, code]);
  return { host, made, code };
}

describe("setting up", () => {
  it("takes what was typed ahead, and rubs out what was rubbed out", async () => {
    const { host, made, code } = await visit();
    host.press("yep");
    host.press({ name: "backspace" });
    host.press({ name: "left" });
    host.press("s");
    for (const line of ["", "Shöp 🏪", ""]) {
      host.press(line);
      host.press({ name: "return" });
    }
    expect(await code).toBe(0);
    expect(made).toEqual([
      { workspace: "/nowhere/hall", settings: { defaultModel: undefined, dayUsd: undefined } },
      { path: "/code/shop", name: "Shöp 🏪", roles: ["coder"] },
    ]);
    expect(host.printed.out).toContain("yep\b \bs\n");
    expect(host.printed.out).toContain("agents     claude\n");
  });

  it.each([
    ["Ctrl-D", { name: "d", ctrl: true }],
    ["a terminal that goes away", undefined],
  ])("is left with %s, and nothing is made", async (_, key) => {
    const { host, made, code } = await visit();
    host.press(key);
    expect([await code, made]).toEqual([130, []]);
    expect(host.printed.out).toMatch(/Canceled\. Nothing was created\.\n$/);
  });

  it("says what was made when the project is refused", async () => {
    const refusal = new HallError("already_exists", "There is already a folder 'projects/shop'.");
    const { host, code } = await visit({ beginAtRest: () => Promise.reject(refusal) });
    for (let answers = 0; answers < 3; answers++) host.press({ name: "return" });
    expect(await code).toBe(refusal.exit);
    expect(host.printed.out).toMatch(/Created workspace \/nowhere\/hall\n$/);
    expect(host.printed.err).toContain("There is already a folder");
  });

  it.each([[["--yes"]], [["--json"]]])("asks nothing with %s", async (words) => {
    const { host, made, code } = await visit({}, words);
    expect([await code, made]).toEqual([0, [{ workspace: "/nowhere/hall", settings: undefined }]]);
    expect(host.printed.out).not.toContain("> ");
  });
});
