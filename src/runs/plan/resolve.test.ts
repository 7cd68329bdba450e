import { describe, expect, it } from "vitest";
import { Config } from "../../contract/documents/config.ts";
import type { Assignment, Project } from "../../contract/documents/project.ts";
import type { Role } from "../../contract/documents/role.ts";
import {
  type ResolveInput,
  resolveLimits,
  resolveModel,
  resolveThinking,
  resolveTimeout,
  resolveTools,
} from "./resolve.ts";

const role = {
  id: "coder",
  skills: ["read", "edit"],
  modelConfig: { model: "role/m", thinking: "high", timeout: 600 },
} as unknown as Role;
const plainRole = { ...role, modelConfig: { ...role.modelConfig, model: "default" } };

const assignment = {
  modelConfig: { model: "assignment/m", thinking: "low", timeout: 100 },
  skills: ["read", "write"],
} as unknown as Assignment;

function projectWith(changes: { model?: string; constraints?: object }): Project {
  const { constraints = {}, ...fields } = changes;
  return { ...fields, config: { constraints } } as unknown as Project;
}

function input(changes: Partial<ResolveInput> = {}): ResolveInput {
  return {
    role,
    project: projectWith({}),
    assignment: undefined,
    overrides: {},
    config: Config.parse({}),
    defaultModel: "offline/rehearsal",
    whyNot: () => undefined,
    ...changes,
  };
}

describe("the model", () => {
  it("is that of the request, the assignment, the project, the rank, its preset, the role or the hall, and says which [S1-CFG-06]", () => {
    const project = projectWith({ model: "project/m" });
    const agentTeams = { headModel: "openai/o3", modelPreset: "budget" };
    // Each step leaves out what decided before it.
    const steps: [Partial<ResolveInput>, string, string][] = [
      [{ overrides: { model: "asked/m" } }, "asked/m", "set by this request"],
      [{ overrides: { rank: "head", preset: "codex-full" } }, "assignment/m", "set by the assignment"],
      [{ assignment: undefined }, "project/m", "set by the project"],
      [{ project: projectWith({}) }, "openai/o3", "set by agentTeams.headModel"],
      [
        { config: Config.parse({ agentTeams: { modelPreset: "budget" } }) },
        "openai/gpt-5.1-codex",
        "head model of preset codex-full, set by this request",
      ],
      [
        { overrides: { rank: "head" } },
        "anthropic/claude-haiku-4-5",
        "head model of preset budget, set by agentTeams.modelPreset",
      ],
      [{ config: Config.parse({}) }, "anthropic/claude-sonnet-4-6", "head model of preset cost-optimized, the default"],
      [{ overrides: {} }, "role/m", "set by the role"],
      [{ role: plainRole }, "offline/rehearsal", "the default model"],
    ];
    let all = input({ assignment, project, config: Config.parse({ agentTeams }) });
    for (const [change, value, because] of steps) {
      all = { ...all, ...change };
      expect(resolveModel(all)).toEqual({ value, because });
    }
  });

  it("is left to the next one by whoever says 'default'", () => {
    const leaving = { modelConfig: { model: "default" } } as unknown as Assignment;
    const overrides = { model: "default" };
    expect(
      resolveModel(input({ overrides, assignment: leaving, project: projectWith({ model: "project/m" }) })),
    ).toEqual({ value: "project/m", because: "set by the project" });
  });

  it("of a role stands in for the default preset where that is out of reach, and the reason says so", () => {
    const whyNot = (model: string) => (model.startsWith("anthropic/") ? "it lacks its key" : undefined);
    expect(resolveModel(input({ overrides: { rank: "worker" }, whyNot }))).toEqual({
      value: "role/m",
      because: "set by the role; preset cost-optimized was skipped: it lacks its key",
    });
    expect(resolveModel(input({ role: plainRole, overrides: { rank: "worker" }, whyNot })).value).toBe(
      "offline/rehearsal",
    );
  });
});

it("thinking is that of the request, the assignment or the role, and says which [S0-SPAWN-04]", () => {
  expect(resolveThinking(input({ assignment, overrides: { thinking: "off" } }))).toEqual({
    value: "off",
    because: "set by this request",
  });
  expect(resolveThinking(input({ assignment }))).toEqual({ value: "low", because: "set by the assignment" });
  expect(resolveThinking(input())).toEqual({ value: "high", because: "set by the role" });
});

it("the timeout is that of the request, the assignment, the project or the role, and says which [S0-SPAWN-04]", () => {
  const project = projectWith({ constraints: { defaultTimeout: 50 } });
  expect(resolveTimeout(input({ assignment, project, overrides: { timeout: 7 } }))).toEqual({
    value: 7,
    because: "set by this request",
  });
  expect(resolveTimeout(input({ assignment, project }))).toEqual({ value: 100, because: "set by the assignment" });
  expect(resolveTimeout(input({ project }))).toEqual({ value: 50, because: "set by the project" });
  expect(resolveTimeout(input())).toEqual({ value: 600, because: "set by the role" });
});

describe("the tools", () => {
  it("are those of the request, the assignment or the role, and say which [S0-SPAWN-04]", () => {
    expect(resolveTools(input({ assignment, overrides: { skills: [] } }))).toEqual({
      value: ["report", "notify", "escalate"],
      because: "set by this request",
    });
    expect(resolveTools(input({ assignment }))).toEqual({
      value: ["read", "write", "list", "search", "report", "notify", "escalate"],
      because: "set by the assignment",
    });
    expect(resolveTools(input())).toEqual({
      value: ["read", "edit", "list", "search", "report", "notify", "escalate"],
      because: "set by the role",
    });
  });

  it("are only such as exist, each once; what is none is named", () => {
    const skills = ["write", "report", "exec", "write", "my-skill"];
    expect(resolveTools(input({ overrides: { skills } }))).toEqual({
      value: ["write", "report", "exec", "read", "list", "search", "notify", "escalate"],
      because: "set by this request; there is no tool or skill my-skill",
    });
  });

  it("leave out exec where no commands are run, and say why", () => {
    const overrides = { skills: ["write", "exec"] };
    expect(resolveTools(input({ overrides, whyNoCommands: "no sandbox works here" }))).toEqual({
      value: ["write", "read", "list", "search", "report", "notify", "escalate"],
      because: "set by this request; exec is not offered: no sandbox works here",
    });
  });

  it("of the memory come together or one by one, and those of the web only where somebody searches it [S3-TOOL-09]", () => {
    const asked = (skills: string[], web = {}) =>
      resolveTools(input({ overrides: { skills }, config: Config.parse({ web }) }));
    expect(asked(["memory"])).toEqual({
      value: [
        "memory_list",
        "memory_read",
        "memory_write",
        "memory_patch",
        "memory_append",
        "report",
        "notify",
        "escalate",
      ],
      because: "set by this request",
    });
    expect(asked(["memory_read"]).value).toEqual(["memory_read", "report", "notify", "escalate"]);
    expect(asked(["web_fetch", "web_search"])).toEqual({
      value: ["web_fetch", "report", "notify", "escalate"],
      because: "set by this request; web_search is not offered: no search service is set up (web.search in config.yml)",
    });
    const search = { kind: "brave" };
    expect(asked(["web_search"], { search })).toMatchObject({ value: ["web_search", "report", "notify", "escalate"] });
    expect(asked(["read"], { search }).value).not.toContain("web_search");
  });
});

it("the limits are the hall's, and the tokens of a task the project's [S0-PROJ-12]", () => {
  const config = Config.parse({ limits: { turns: 9 } });
  const project = projectWith({ constraints: { maxTokensPerTask: 700 } });
  expect(resolveLimits(input({ config, project }), 30)).toMatchObject({ turns: 9, seconds: 30, tokens: 700 });
  expect(resolveLimits(input(), 30)).not.toHaveProperty("tokens");
});
