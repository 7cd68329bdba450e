import { describe, expect, it } from "vitest";
import { HallError } from "../contract/errors.ts";
import { hintText } from "../contract/hint.ts";
import { Topic } from "../contract/knowledge.ts";
import { PROJECT_STATUSES as CONTRACT_PROJECT_STATUSES } from "../contract/project.ts";
import { Thinking } from "../contract/role.ts";
import { SearchHit } from "../contract/search-routes.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { exampleText, globalOptions, spellings } from "./command-spec.ts";
import { tableEntries } from "./table/all.ts";
import { SEARCH_KINDS } from "./table/hall.ts";
import { KNOWLEDGE_TOPICS } from "./table/knowledge.ts";
import { PROJECT_STATUSES } from "./table/project.ts";
import { modelSettings } from "./table/shared-options.ts";

function read(...words: string[]): CommandLine {
  return readCommandLine(words, { width: 100, calledAs: "guildhall" });
}

/** Splits an example as a shell would: quotes hold words together; what is piped in, or redirected, is not an argument. */
function shellWords(example: string): string[] {
  const command = example.replace(/ [<>] \S+$/, "").replace(/^.* \| (?=guildhall )/, "");
  return Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "").slice(1);
}

describe("every command of the table", () => {
  it.each(tableEntries())("$path has help with its options and an example", ({ path, spec }) => {
    const help = read(...path.split(" "), "--help");
    if (help.kind !== "help") throw new Error("no help was shown");
    expect(help.wanted).toBe(true);
    expect(help.text).toContain(`Usage: guildhall ${path}`);
    for (const example of spec.examples) expect(help.text).toContain(`$ ${exampleText(example, "guildhall")}`);
    for (const [name, option] of Object.entries({ ...spec.options, ...globalOptions })) {
      for (const flag of spellings(name, option)) expect(help.text).toContain(flag);
    }
  });

  it.each(
    tableEntries().flatMap(({ path, spec }) =>
      spec.examples.map((example) => [exampleText(example, "guildhall"), path] as const),
    ),
  )("understands its own example: %s", (example, path) => {
    expect(read(...shellWords(example))).toMatchObject({ kind: "run", path });
  });

  it.each(tableEntries())("$path names no argument and option alike, and no flag twice", ({ spec }) => {
    const options = Object.entries({ ...spec.options, ...globalOptions });
    const names = [...Object.keys(spec.args ?? {}), ...options.map(([name]) => name)];
    const flags = options.flatMap(([name, option]) => spellings(name, option));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(flags).size).toBe(flags.length);
  });
});

describe("the words that completion offers", () => {
  it("are those of the contract", () => {
    expect(PROJECT_STATUSES).toEqual(CONTRACT_PROJECT_STATUSES);
    expect(SEARCH_KINDS).toEqual(SearchHit.shape.kind.options);
    expect(KNOWLEDGE_TOPICS).toEqual(Topic.options);
    expect(modelSettings.thinking.words).toEqual(Thinking.options);
  });
});

describe("global options", () => {
  const globals = { workspace: "/w", json: true, color: false };

  it.each([
    [["--workspace", "/w", "--json", "--no-color", "task", "list"]],
    [["task", "--workspace=/w", "--json", "--no-color", "list"]],
    [["task", "list", "--workspace", "/w", "--json", "--no-color"]],
    [["--json", "task", "--no-color", "list", "--workspace", "/w"]],
  ])("count wherever they stand: %j", (words) => {
    expect(read(...words)).toMatchObject({ path: "task list", globals });
  });

  it("are off unless given", () => {
    expect(read("task", "list")).toMatchObject({ globals: { workspace: undefined, json: false, color: true } });
  });

  it("name no workspace for a command that makes one of its own", () => {
    for (const words of [
      ["--workspace", "/w", "demo"],
      ["demo", "--workspace=/w"],
    ])
      expect(() => read(...words)).toThrow(
        expect.objectContaining({ code: "usage", message: expect.stringContaining("of its own") }),
      );
  });
});

describe("arguments and values", () => {
  it("pass through intact: spaces, emoji, line breaks, leading dashes", () => {
    const title = '  --json 🚀\n"quoted" $HOME `id` ';
    expect(read("task", "add", "-p", "shop", "-d", "--json", "--", title)).toMatchObject({
      input: { title, description: "--json", project: "shop" },
      globals: { json: false },
    });
    expect(read("task", "add", "x", "--description=-x=y")).toMatchObject({ input: { description: "-x=y" } });
  });

  it("join the words of a query", () => {
    expect(read("search", "login", "timeout", "--limit", "5")).toMatchObject({
      input: { query: "login timeout", limit: 5 },
    });
  });

  it("collect lists at commas, and prose as it is", () => {
    const words = ["--label", "a, b", "--label", "c", "--criterion", "x, y", "--criterion", "z"];
    expect(read("task", "add", "t", ...words)).toMatchObject({
      input: { label: ["a", "b", "c"], criterion: ["x, y", "z"] },
    });
  });

  it("make an empty list of an empty value", () => {
    expect(read("task", "edit", "1", "--label", "", "--criterion", "")).toMatchObject({
      input: { label: [], criterion: [] },
    });
  });

  it("tell on, off and not given apart", () => {
    const ready = (...words: string[]) => {
      const line = read("task", "list", ...words);
      return line.kind === "run" ? line.input.ready : line;
    };
    expect([ready("--ready"), ready("--no-ready"), ready()]).toEqual([true, false, undefined]);
  });
});

function refusalOf(words: readonly string[]): HallError {
  try {
    read(...words);
  } catch (error) {
    if (error instanceof HallError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("wrong usage", () => {
  it.each([
    [["tsk"], "Unknown command 'tsk'.", "Did you mean task? See 'guildhall --help'."],
    [["task", "lst"], "Unknown command 'lst'.", "Did you mean list? See 'guildhall task --help'."],
    [
      ["task", "list", "--statsu", "x"],
      "Unknown option '--statsu'.",
      "Did you mean --status? See 'guildhall task list --help'.",
    ],
    [["task", "list", "extra"], /^Too many arguments/, "See 'guildhall task list --help'."],
    [["task", "add"], "Missing required argument 'title'.", "See 'guildhall task add --help'."],
    [["task", "list", "--status"], /argument missing/, "See 'guildhall task list --help'."],
    [["up", "--port", "x"], /must be a number/, "See 'guildhall up --help'."],
    [["--nonsense"], "Unknown option '--nonsense'.", "See 'guildhall --help'."],
    [["toString"], "Unknown command 'toString'.", "See 'guildhall --help'."],
  ])("is refused with advice: %j", (words, message, hint) => {
    const error = refusalOf(words);
    expect(error).toMatchObject({
      code: "usage",
      exit: 2,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(hintText(error.hint)).toContain(hint);
  });

  it("shows help where a command is missing, and says that it was not asked for", () => {
    expect(read("task")).toMatchObject({ kind: "help", wanted: false, text: expect.stringContaining("add a task") });
    expect(read()).toMatchObject({ kind: "help", wanted: true });
  });
});

describe("help and version", () => {
  it("answers 'help' as it answers --help", () => {
    expect(read("help", "task", "add")).toEqual(read("task", "add", "--help"));
    expect(read("help")).toEqual(read("--help"));
  });

  it("lists every noun and every command without one", () => {
    const help = read("--help");
    const firsts = new Set(tableEntries().map(({ noun, verb }) => noun ?? verb));
    for (const word of firsts) expect(help).toMatchObject({ text: expect.stringMatching(`\n  ${word} `) });
  });

  it("knows --version", () => {
    expect(read("--version")).toEqual({ kind: "version" });
    expect(read("-V")).toEqual({ kind: "version" });
  });
});
