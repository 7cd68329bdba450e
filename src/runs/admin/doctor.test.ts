import { describe, expect, it } from "vitest";
import { models, problem } from "../../../test/fakes/api-documents.ts";
import { checksOf, type Findings } from "./doctor.ts";

const found = (changes: Partial<Findings> = {}): Findings => ({
  ground: [],
  index: { schema: 3, rebuiltAt: "2026-03-01T12:00:00.000Z" },
  containment: "descriptor",
  sandbox: { name: "bwrap", detail: "commands run in bwrap" },
  git: { version: "2.50.0", tooOld: undefined },
  problems: [],
  models: models({ default: "own/m" }),
  programs: {},
  ...changes,
});

/** State, title and detail of the checks whose id begins so. */
const said = (id: string, changes: Partial<Findings>) =>
  checksOf(found(changes))
    .filter((check) => check.id.startsWith(id))
    .map(({ state, title, detail }) => `${state} ${title}: ${detail}`);

const hint = (id: string, changes: Partial<Findings>) =>
  checksOf(found(changes)).find((check) => check.id === id)?.hint;

describe("the doctor", () => {
  it("finds nothing wrong with a healthy hall", () => {
    expect(checksOf(found()).filter(({ state }) => state !== "ok")).toEqual([]);
    expect(said("index", {})).toEqual(["ok Index: schema 3, built 2026-03-01 12:00 UTC"]);
  });

  it("names first what has to be mended, then what deserves a look", () => {
    const states = checksOf(found({ containment: "realpath", problems: [problem()] })).map(({ state }) => state);
    expect(states.slice(0, 3)).toEqual(["failed", "warning", "ok"]);
  });

  it.each([
    [[problem()], ["failed Files: 1 file can't be read"]],
    [[problem({ severity: "warning" })], ["warning Files: 1 warning"]],
    [
      [problem(), problem(), problem({ severity: "warning" }), problem({ severity: "warning" })],
      ["failed Files: 2 files can't be read, 2 warnings"],
    ],
  ])("counts the files that are named under problems", (problems, checks) => {
    expect(said("files", { problems })).toEqual(checks);
  });

  it("gives runs that wait a check of their own, which is about no file", () => {
    const problems = [problem({ kind: "run", severity: "warning", reason: "run r waits for budget: x" })];
    expect(said("runs", { problems })).toEqual(["warning Runs: run r waits for budget: x"]);
    expect(said("files", { problems })).toEqual(["ok Files: all files are readable"]);
  });

  it("gives deliveries that fail a check of their own, and names the file only where that is the reason", () => {
    const file = "state/subscribers/webhook.json";
    const problems = [
      problem({ kind: "delivery", file, severity: "warning", reason: "The webhook x: 1 notification given up" }),
      problem({ kind: "delivery", file, line: undefined, severity: "invalid", reason: "it has an invalid format" }),
    ];
    expect(said("delivery", { problems })).toEqual([
      `failed Deliveries: ${file}: it has an invalid format`,
      "warning Deliveries: The webhook x: 1 notification given up",
    ]);
    expect(said("files", { problems })).toEqual(["ok Files: all files are readable"]);
  });

  it("gives each setting that deserves a look a check with its place", () => {
    const problems = [
      problem({ kind: "config", file: "config.yml", line: 4, severity: "warning", reason: "too much" }),
    ];
    expect(said("config", { problems })).toEqual(["warning Configuration: config.yml:4: too much"]);
  });
});

describe("the doctor and the models", () => {
  it("says that only the offline model is there, and how to get another", () => {
    const offline = { models: models({ playbooks: ["demo"] }) };
    expect(said("model", offline)).toEqual([
      expect.stringMatching(/^warning .*offline\/rehearsal, the offline model, .*no provider .*; playbooks: demo$/),
    ]);
    expect(hint("model", offline)).toMatch(/guildhall key set NAME.*Ollama/);
  });

  it("advises a default where there is a provider but none of its models was chosen", () => {
    const keySource = "not_needed" as const;
    const own = {
      name: "own",
      kind: "openai-compatible",
      source: "config",
      key: false,
      keySource,
      baseUrl: "http://o/v1",
    };
    expect(hint("model", { models: models({ providers: [own] }) })).toMatch(/models\.default.*own\/MODEL/);
  });

  it("names every provider with where it and its key came from", () => {
    const kind = "openai-compatible";
    const stored = { keySource: "stored" } as const;
    const missing = { keySource: "missing" } as const;
    const free = { keySource: "not_needed" } as const;
    const providers = [
      {
        name: "anthropic",
        kind: "anthropic",
        source: "environment",
        key: true,
        ...stored,
        keyNames: ["ANTHROPIC_API_KEY"],
      },
      { name: "own", kind, source: "config", key: false, ...missing, keyNames: ["OWN_KEY"], baseUrl: "http://o/v1" },
      { name: "ollama", kind, source: "local", key: false, ...free, baseUrl: "http://l/v1", models: ["qwen3"] },
    ];
    const told = { models: models({ default: "anthropic/claude", providers }) };
    expect([...said("model", told), ...said("provider", told)]).toEqual([
      "ok Default model: anthropic/claude",
      "warning Provider own: openai-compatible at http://o/v1, in config.yml, no key",
      "ok Provider anthropic: anthropic, detected by its key, key from ANTHROPIC_API_KEY",
      "ok Provider ollama: openai-compatible at http://l/v1, detected on this machine, no key needed, with qwen3",
    ]);
    expect(hint("provider-own", told)).toContain("guildhall key set own");
  });

  it("names the ranks whose model cannot be asked", () => {
    const { team } = models();
    const head = { model: "x/y", because: "the preset budget", problem: "there is no provider" };
    const told = { models: models({ default: "own/m", team: { ranks: { ...team.ranks, head } } }) };
    expect(said("rank", told)).toEqual(["warning Model for rank head: x/y (the preset budget): there is no provider"]);
  });
});
