import { describe, expect, it, onTestFinished } from "vitest";
import { type Hall, type HallSetup, startHall } from "../harness/daemon.ts";
import { startProvider } from "../harness/scripted-provider.ts";

const NOBODY = { OLLAMA_HOST: "127.0.0.1:9" };
const BOTH = { ...NOBODY, ANTHROPIC_API_KEY: "test", OPENAI_API_KEY: "test" };

/** A hall with a role that has a model of its own, one that has none, and a project. */
async function shop(setup: HallSetup): Promise<Hall> {
  const hall = await startHall(undefined, setup);
  const own = { id: "coder", name: "Coder", skills: ["read"], modelConfig: { model: "openai/gpt-4.1" } };
  await hall.call("POST", "/api/roles", own);
  await hall.call("POST", "/api/roles", { id: "plain", name: "Plain" });
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  return hall;
}

function spawn(hall: Hall, overrides: object, more: { dryRun?: boolean; [field: string]: unknown } = {}) {
  const { dryRun = true, ...fields } = more;
  const body = { projectId: "shop", roleId: "coder", task: { title: "Fix it" }, overrides, ...fields };
  return hall.call("POST", `/api/team/spawn${dryRun ? "?dryRun=true" : ""}`, body);
}

async function modelFor(hall: Hall, overrides: object, more: Record<string, unknown> = {}) {
  const { status, body } = await spawn(hall, overrides, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.plan.model;
}

describe("agentTeams in config.yml", () => {
  it("gives ranks their models, with the preset of a request first and the model of a rank on top [S1-CFG-01 S1-CFG-03 S1-CFG-06]", async () => {
    const config = { agentTeams: { enabled: true, modelPreset: "budget", reviewerModel: "openai/o3" } };
    const hall = await shop({ config, env: BOTH });
    expect(await modelFor(hall, { rank: "lead" })).toEqual({
      value: "anthropic/claude-sonnet-4-6",
      because: "lead model of preset budget, set by agentTeams.modelPreset",
    });
    expect(await modelFor(hall, { rank: "lead", preset: "max-quality" })).toEqual({
      value: "anthropic/claude-opus-4-6",
      because: "lead model of preset max-quality, set by this request",
    });
    expect(await modelFor(hall, { rank: "reviewer", preset: "max-quality" })).toEqual({
      value: "openai/o3",
      because: "set by agentTeams.reviewerModel",
    });
  });

  it("says nothing where no rank is named, and less than the request, the assignment and the project [S1-CFG-06]", async () => {
    const hall = await shop({ config: { agentTeams: { headModel: "openai/o3" } }, env: BOTH });
    expect(await modelFor(hall, {})).toEqual({ value: "openai/gpt-4.1", because: "set by the role" });
    expect(await modelFor(hall, { rank: "head" })).toEqual({
      value: "openai/o3",
      because: "set by agentTeams.headModel",
    });
    await hall.call("PUT", "/api/projects/shop", { model: "openai/gpt-5" });
    expect(await modelFor(hall, { rank: "head" })).toEqual({ value: "openai/gpt-5", because: "set by the project" });
    const assigned = { roleId: "coder", modelConfig: { model: "openai/gpt-5-mini" } };
    expect((await hall.call("POST", "/api/projects/shop/team", assigned)).status).toBe(201);
    expect(await modelFor(hall, { rank: "head" })).toMatchObject({ because: "set by the assignment" });
    expect(await modelFor(hall, { rank: "head", model: "openai/o3" })).toMatchObject({
      because: "set by this request",
    });
  });

  it("switched off leaves ranks without models, and a preset that is asked for is refused", async () => {
    const config = { agentTeams: { enabled: false, modelPreset: "budget", leadModel: "openai/o3" } };
    const hall = await shop({ config, env: BOTH });
    expect(await modelFor(hall, { rank: "lead" })).toEqual({
      value: "openai/gpt-4.1",
      because: "set by the role; agentTeams.enabled is false",
    });
    const refused = await spawn(hall, { rank: "lead", preset: "budget" });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining("enabled is false") } },
    });
    expect((await hall.call("GET", "/api/models")).body.team.preset).toBeUndefined();
  });

  it.each([
    [{ modelPreset: "best" }, /agentTeams\.modelPreset/],
    [{ leadModel: "opus" }, /agentTeams\.leadModel: must be 'provider\/model'/],
    [{ workerModel: "nobody/m" }, /agentTeams\.workerModel: names the provider 'nobody'/],
    [{ colour: "red" }, /agentTeams\.colour: is not a known key/],
  ])("%j stops the start", async (agentTeams, message) => {
    await expect(startHall(undefined, { config: { agentTeams } })).rejects.toThrow(message);
  });
});

describe("a preset", () => {
  it("that is out of reach is passed over when nobody chose it, and the reason says so", async () => {
    const hall = await shop({ env: { ...NOBODY, OPENAI_API_KEY: "test" } });
    expect(await modelFor(hall, { rank: "worker" })).toEqual({
      value: "openai/gpt-4.1",
      because: expect.stringMatching(
        /^set by the role; preset cost-optimized was skipped: .*claude-haiku-4-5.*ANTHROPIC_API_KEY/,
      ),
    });
    expect(await modelFor(hall, { rank: "worker" }, { roleId: "plain" })).toEqual({
      value: "openai/gpt-5.1",
      because: expect.stringMatching(/^the default model; preset cost-optimized was skipped: /),
    });
  });

  it("that is out of reach is refused when somebody chose it, with who and what is missing; nothing is made", async () => {
    const env = { ...NOBODY, OPENAI_API_KEY: "test" };
    const asked = await shop({ env });
    const refused = await spawn(asked, { rank: "lead", preset: "max-quality" }, { dryRun: false });
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toMatch(
      /^Model 'anthropic\/claude-opus-4-6' is not available: .*ANTHROPIC_API_KEY.* Why this model: lead model of preset max-quality, set by this request\.$/,
    );
    expect((await asked.call("GET", "/api/projects/shop/tasks")).body.tasks).toEqual([]);
    const set = await shop({ config: { agentTeams: { modelPreset: "budget" } }, env });
    expect((await spawn(set, { rank: "lead" })).body.error.message).toContain("set by agentTeams.modelPreset");
    expect((await spawn(set, { rank: "lead", preset: "codex-full" })).status).toBe(200);
  });

  it.each([
    [{ preset: "budget" }, "overrides.preset: needs a rank"],
    [{ rank: "lead", preset: "best" }, "overrides.preset"],
    [{ rank: "boss" }, "overrides.rank"],
  ])("asked for as %j is refused by name", async (overrides, message) => {
    const hall = await shop({ env: BOTH });
    const refused = await spawn(hall, overrides);
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toContain(message);
  });

  it("decides which model a run really asks, and the run keeps its rank, also when it is tried again", async () => {
    const provider = await startProvider(() => ({ text: "Done." }));
    onTestFinished(() => provider.close());
    const config = { providers: { anthropic: { kind: "anthropic", baseUrl: `${provider.url}/v1` } } };
    const hall = await shop({ config, env: { ...NOBODY, ANTHROPIC_API_KEY: "test" } });
    const options = { waitForCompletion: true };
    const done = (await spawn(hall, { rank: "lead", preset: "max-quality" }, { dryRun: false, options })).body;
    expect(done.status).toBe("completed");
    const { run } = (await hall.call("GET", `/api/runs/${done.sessionId}`)).body;
    expect(run).toMatchObject({ rank: "lead", model: "anthropic/claude-opus-4-6" });
    const again = (await hall.call("POST", `/api/runs/${done.sessionId}/retry`, {})).body;
    expect((await hall.call("GET", `/api/runs/${again.sessionId}`)).body.run).toMatchObject({
      rank: "lead",
      model: "anthropic/claude-opus-4-6",
    });
    expect(new Set(provider.requests.map(({ body }) => body.model))).toEqual(new Set(["claude-opus-4-6"]));
  });
});

describe("GET /api/models", () => {
  it("shows the model of each rank, why, and what keeps it from being asked [S1-CFG-04 S1-CFG-05 S1-CFG-07]", async () => {
    const agentTeams = { modelPreset: "codex-balanced", headModel: "anthropic/claude-opus-4-6" };
    const hall = await shop({ config: { agentTeams }, env: { ...NOBODY, OPENAI_API_KEY: "test" } });
    const because = (rank: string) => `${rank} model of preset codex-balanced, set by agentTeams.modelPreset`;
    expect((await hall.call("GET", "/api/models")).body.team).toEqual({
      preset: { value: "codex-balanced", because: "set by agentTeams.modelPreset" },
      ranks: {
        lead: { model: "openai/gpt-5.1", because: because("lead") },
        head: {
          model: "anthropic/claude-opus-4-6",
          because: "set by agentTeams.headModel",
          problem: expect.stringContaining("ANTHROPIC_API_KEY"),
        },
        worker: { model: "openai/gpt-5.1-codex", because: because("worker") },
        reviewer: { model: "openai/gpt-5-mini", because: because("reviewer") },
        escalation: { model: "openai/gpt-5.1", because: because("escalation") },
      },
    });
  });

  it("shows the default model for every rank where the default preset is out of reach", async () => {
    const { team } = (await (await shop({ env: NOBODY })).call("GET", "/api/models")).body;
    expect(team.preset).toEqual({ value: "cost-optimized", because: "the default" });
    for (const { model, because, problem } of Object.values(team.ranks)) {
      expect([model, problem]).toEqual(["offline/rehearsal", undefined]);
      expect(because).toMatch(/^the default model, unless the role sets one; preset .* skipped/);
    }
  });
});

it("thinking, timeout and tools come with the reason for each, and decide the run's limits [S0-PROJ-12 S0-PROJ-13]", async () => {
  const hall = await shop({ env: BOTH });
  const { plan } = (await spawn(hall, {})).body;
  expect([plan.thinking, plan.timeout, plan.limits.seconds]).toEqual([
    { value: "medium", because: "set by the role" },
    { value: 300, because: "set by the role" },
    300,
  ]);
  expect(plan.limits.tokens).toBeUndefined();
  expect(plan.tools).toEqual({
    value: ["read", "list", "search", "report", "notify", "escalate"],
    because: "set by the role",
  });
  await hall.call("PUT", "/api/projects/shop", {
    config: { constraints: { defaultTimeout: 44, maxTokensPerTask: 7_000 } },
  });
  expect((await spawn(hall, {})).body.plan).toMatchObject({
    timeout: { value: 44, because: "set by the project" },
    limits: { seconds: 44, tokens: 7_000 },
  });
  const assigned = { roleId: "coder", modelConfig: { thinking: "low", timeout: 55 }, skills: ["write", "my-skill"] };
  await hall.call("POST", "/api/projects/shop/team", assigned);
  expect((await spawn(hall, {})).body.plan).toMatchObject({
    thinking: { value: "low", because: "set by the assignment" },
    timeout: { value: 55, because: "set by the assignment" },
    tools: {
      value: ["write", "report", "notify", "escalate"],
      because: "set by the assignment; there is no tool or skill my-skill",
    },
  });
});
