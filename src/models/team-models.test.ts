import { describe, expect, it } from "vitest";
import { Config } from "../contract/documents/config.ts";
import type { ModelPreset } from "../contract/documents/rank.ts";
import { MODEL_PRESETS, RANKS } from "../contract/words/rank-names.ts";
import { priceOf } from "./budget/prices.ts";
import { contextWindowOf } from "./context-windows.ts";
import { DEFAULT_PRESET, PRESETS } from "./presets.ts";
import { choosePreset, resolveRank, resolveTeam, topModel } from "./team-models.ts";

const fallback = { value: "role/m", because: "set by the role" };

function choice(agentTeams: object = {}, preset?: ModelPreset, unreachable: readonly string[] = []) {
  const settings = Config.parse({ agentTeams }).agentTeams;
  const whyNot = (model: string) =>
    unreachable.some((provider) => model.startsWith(`${provider}/`)) ? `${model} lacks its key` : undefined;
  return { settings, preset, whyNot };
}

describe("the presets", () => {
  it("are seven, and each has a model with its provider for every rank [S1-CFG-05]", () => {
    expect(MODEL_PRESETS).toEqual([
      "max-quality",
      "balanced",
      "cost-optimized",
      "budget",
      "custom",
      "codex-balanced",
      "codex-full",
    ]);
    for (const name of MODEL_PRESETS) {
      expect(Object.keys(PRESETS[name])).toEqual([...RANKS]);
      for (const model of Object.values(PRESETS[name]))
        expect(model).toMatch(name === "custom" ? /^default$/ : /^(anthropic|openai)\/[\w.-]+$/);
    }
  });

  it("name only models whose price and window are known, of one vendor each [S1-CFG-04]", () => {
    const config = Config.parse({});
    for (const [name, ranks] of Object.entries(PRESETS)) {
      const models = Object.values(ranks);
      expect([name, new Set(models.map((model) => model.split("/")[0])).size]).toEqual([name, 1]);
      if (name === "custom") continue;
      const vendor = name.startsWith("codex-") ? "openai/" : "anthropic/";
      expect(models.filter((model) => !model.startsWith(vendor))).toEqual([]);
      expect(models.filter((model) => priceOf(model, config) === undefined)).toEqual([]);
      expect(models.filter((model) => contextWindowOf(model, config) === 128_000)).toEqual([]);
    }
  });

  it("cost no more from max-quality to budget, rank by rank, and together less with each step [S1-CFG-03]", () => {
    const config = Config.parse({});
    const dear = (["max-quality", "balanced", "cost-optimized", "budget"] as const).map((name) =>
      RANKS.map((rank) => priceOf(PRESETS[name][rank], config)?.output ?? 0),
    );
    for (const [at, prices] of dear.entries())
      expect(prices.every((price, rank) => price <= (dear[at - 1]?.[rank] ?? Number.POSITIVE_INFINITY))).toBe(true);
    const sums = dear.map((prices) => prices.reduce((sum, price) => sum + price, 0));
    expect(sums).toEqual([...new Set(sums)].sort((left, right) => right - left));
  });
});

describe("a team's models", () => {
  it("come from the preset of the request, of config.yml, or the default one [S1-CFG-06 S1-CFG-07]", () => {
    const values = (of: ReturnType<typeof choice>) =>
      Object.fromEntries(Object.entries(resolveTeam(of, fallback)).map(([rank, { value }]) => [rank, value]));
    expect(values(choice())).toEqual(PRESETS[DEFAULT_PRESET]);
    expect(values(choice({ modelPreset: "budget" }))).toEqual(PRESETS.budget);
    expect(values(choice({ modelPreset: "budget" }, "codex-full"))).toEqual(PRESETS["codex-full"]);
    expect(choosePreset(choice({ modelPreset: "budget" }, "codex-full")).because).toBe("set by this request");
    expect(choosePreset(choice({ modelPreset: "budget" })).because).toBe("set by agentTeams.modelPreset");
  });

  it("have config.yml's model of a rank on top of any preset [S1-CFG-06]", () => {
    for (const rank of RANKS) {
      const team = resolveTeam(choice({ [`${rank}Model`]: "openai/o3" }, "max-quality"), fallback);
      expect(team[rank]).toEqual({ value: "openai/o3", because: `set by agentTeams.${rank}Model` });
      const others = RANKS.filter((other) => other !== rank);
      expect(others.map((other) => team[other].value)).toEqual(others.map((other) => PRESETS["max-quality"][other]));
    }
  });

  it("have Opus as the best one, else the best that the team has and can ask [S1-RT-03]", () => {
    expect(topModel(choice({ leadModel: "openai/o3" }, "budget"))).toBe("anthropic/claude-opus-4-6");
    expect(topModel(choice({ leadModel: "openai/o3" }, "budget", ["anthropic"]))).toBe("openai/o3");
    expect(topModel(choice({}, "codex-full", ["anthropic", "openai"]))).toBeUndefined();
  });

  it("of which nothing is said are the fallback's, and without one nobody's [S1-CFG-07]", () => {
    const custom = choice({ modelPreset: "custom", leadModel: "openai/o3" });
    expect(resolveRank(custom, "lead")?.value).toBe("openai/o3");
    expect(resolveRank(custom, "head")).toBeUndefined();
    expect(resolveRank(custom, "head", fallback)).toEqual({
      value: "role/m",
      because: "set by the role; preset custom does not set it",
    });
    const off = choice({ enabled: false, modelPreset: "budget", headModel: "openai/o3" });
    expect(resolveRank(off, "head", fallback)).toEqual({
      value: "role/m",
      because: "set by the role; agentTeams.enabled is false",
    });
  });

  it("of the default preset give way when they are out of reach; those somebody chose stand", () => {
    const unreachable = ["anthropic"];
    expect(resolveRank(choice({}, undefined, unreachable), "head", fallback)).toEqual({
      value: "role/m",
      because: "set by the role; preset cost-optimized was skipped: anthropic/claude-sonnet-4-6 lacks its key",
    });
    expect(resolveRank(choice({ modelPreset: "budget" }, undefined, unreachable), "lead", fallback).value).toBe(
      PRESETS.budget.lead,
    );
    expect(resolveRank(choice({}, "max-quality", unreachable), "lead", fallback)).toEqual({
      value: PRESETS["max-quality"].lead,
      because: "lead model of preset max-quality, set by this request",
    });
  });
});
