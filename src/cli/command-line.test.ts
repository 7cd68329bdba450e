import { describe, expect, it } from "vitest";
import { Topic } from "../contract/documents/knowledge.ts";
import { PROJECT_STATUSES as CONTRACT_PROJECT_STATUSES } from "../contract/documents/project.ts";
import { Thinking } from "../contract/documents/role.ts";
import { HallError } from "../contract/errors.ts";
import { SearchHit } from "../contract/routes/search-routes.ts";
import { hintText } from "../contract/words/hint.ts";
import { type CommandLine, readCommandLine } from "./command-line.ts";
import { exampleText, globalOptions, spellings } from "./command-spec.ts";
import { allCommands, commandsFor } from "./command-table.ts";
import { KNOWLEDGE_TOPICS } from "./nouns/knowledge.ts";
import { PROJECT_STATUSES } from "./nouns/project.ts";
import { SEARCH_KINDS } from "./nouns/search.ts";
import { modelSettings } from "./shared-options.ts";

const entries = await allCommands();

function read(...words: string[]): Promise<CommandLine> {
  return readCommandLine(words, { width: 100, calledAs: "guildhall" });
}

/** Splits an example as a shell would: quotes hold words together; what is piped in, or redirected, is not an argument. */
function shellWords(example: string): string[] {
  const command = example.replace(/ [<>] \S+$/, "").replace(/^.* \| (?=guildhall )/, "");
  return Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? "").slice(1);
}

describe("every command of the table", () => {
  it.each(entries)("$path has help with its options and an example", async ({ path, spec }) => {
    const help = await read(...path.split(" "), "--help");
    if (help.kind !== "help") throw new Error("no help was shown");
    expect(help.wanted).toBe(true);
    expect(help.text).toContain(`Usage: guildhall ${path}`);
    for (const example of spec.examples) expect(help.text).toContain(`$ ${exampleText(example, "guildhall")}`);
    for (const [name, option] of Object.entries({ ...spec.options, ...globalOptions })) {
      for (const flag of spellings(name, option)) expect(help.text).toContain(flag);
    }
  });

  it.each(
    entries.flatMap(({ path, spec }) =>
      spec.examples.map((example) => [exampleText(example, "guildhall"), path] as const),
    ),
  )("understands its own example: %s", async (example, path) => {
    expect(await read(...shellWords(example))).toMatchObject({ kind: "run", command: { path } });
  });

  it.each(entries)("$path names no argument and option alike, and no flag twice", ({ spec }) => {
    const options = Object.entries({ ...spec.options, ...globalOptions });
    const names = [...Object.keys(spec.args ?? {}), ...options.map(([name]) => name)];
    const flags = options.flatMap(([name, option]) => spellings(name, option));
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(flags).size).toBe(flags.length);
  });
});

describe("the files of commands", () => {
  it.each(entries)("$path is loaded by its first word, alone with its noun", async ({ path }) => {
    const [first] = path.split(" ");
    const loaded = (await commandsFor(first)).map((entry) => entry.path);
    expect(loaded).toEqual(entries.map((entry) => entry.path).filter((each) => each.split(" ")[0] === first));
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
  ])("count wherever they stand: %j", async (words) => {
    expect(await read(...words)).toMatchObject({ command: { path: "task list" }, globals });
  });

  it("are off unless given", async () => {
    expect(await read("task", "list")).toMatchObject({ globals: { workspace: undefined, json: false, color: true } });
  });

  it("name no workspace for a command that makes one of its own", async () => {
    for (const words of [
      ["--workspace", "/w", "demo"],
      ["demo", "--workspace=/w"],
    ])
      await expect(read(...words)).rejects.toThrow(
        expect.objectContaining({ code: "usage", message: expect.stringContaining("its own workspace") }),
      );
  });
});

describe("arguments and values", () => {
  it("pass through intact: spaces, emoji, line breaks, leading dashes", async () => {
    const title = '  --json 🚀\n"quoted" $HOME `id` ';
    expect(await read("task", "add", "-p", "shop", "-d", "--json", "--", title)).toMatchObject({
      input: { title, description: "--json", project: "shop" },
      globals: { json: false },
    });
    expect(await read("task", "add", "x", "--description=-x=y")).toMatchObject({ input: { description: "-x=y" } });
  });

  it("join the words of a query", async () => {
    expect(await read("search", "login", "timeout", "--limit", "5")).toMatchObject({
      input: { query: "login timeout", limit: 5 },
    });
  });

  it("collect lists at commas, and prose as it is", async () => {
    const words = ["--label", "a, b", "--label", "c", "--criterion", "x, y", "--criterion", "z"];
    expect(await read("task", "add", "t", ...words)).toMatchObject({
      input: { label: ["a", "b", "c"], criterion: ["x, y", "z"] },
    });
  });

  it("make an empty list of an empty value", async () => {
    expect(await read("task", "edit", "1", "--label", "", "--criterion", "")).toMatchObject({
      input: { label: [], criterion: [] },
    });
  });

  it("tell on, off and not given apart", async () => {
    const ready = async (...words: string[]) => {
      const line = await read("task", "list", ...words);
      return line.kind === "run" ? line.input.ready : line;
    };
    expect(await Promise.all([ready("--ready"), ready("--no-ready"), ready()])).toEqual([true, false, undefined]);
  });
});

async function refusalOf(words: readonly string[]): Promise<HallError> {
  try {
    await read(...words);
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
    [["up", "--port", "x"], /Must be a number/, "See 'guildhall up --help'."],
    [["--nonsense"], "Unknown option '--nonsense'.", "See 'guildhall --help'."],
    [["toString"], "Unknown command 'toString'.", "See 'guildhall --help'."],
  ])("is refused with advice: %j", async (words, message, hint) => {
    const error = await refusalOf(words);
    expect(error).toMatchObject({
      code: "usage",
      exit: 2,
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
    expect(hintText(error.hint)).toContain(hint);
  });

  it("shows help where a command is missing, and says that it was not asked for", async () => {
    expect(await read("task")).toMatchObject({
      kind: "help",
      wanted: false,
      text: expect.stringContaining("Add a task"),
    });
    expect(await read()).toMatchObject({ kind: "help", wanted: true });
  });
});

describe("help and version", () => {
  it("answers 'help' as it answers --help", async () => {
    expect(await read("help", "task", "add")).toEqual(await read("task", "add", "--help"));
    expect(await read("help")).toEqual(await read("--help"));
  });

  it("lists every noun and every command without one", async () => {
    const help = await read("--help");
    const firsts = new Set(entries.map(({ noun, verb }) => noun ?? verb));
    for (const word of firsts) expect(help).toMatchObject({ text: expect.stringMatching(`\n  ${word} `) });
  });

  it("knows --version", async () => {
    expect(await read("--version")).toEqual({ kind: "version" });
    expect(await read("-V")).toEqual({ kind: "version" });
  });
});
