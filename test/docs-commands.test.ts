import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type CommandEntry, globalOptions, spellings } from "../src/cli/command-spec.ts";
import { allCommands } from "../src/cli/command-table.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const commands = await allCommands();
const GLOBAL = [...optionsOf({ options: globalOptions }), "-h", "--help", "--version"];

describe("the commands that the docs name", () => {
  const pages = ["README.md", ...globSync("docs/*.md", { cwd: root }).filter((page) => page !== "docs/cli.md")];

  it.each(pages)("%s: exist, with the options they are given", (page) => {
    expect(commandsIn(read(page)).flatMap(problemsOf)).toEqual([]);
  });
});

describe("docs/how-do-i.md", () => {
  const [, ...answers] = read("docs/how-do-i.md").split(/^## /m);

  it("answers at least 20 questions", () => {
    expect(answers.length).toBeGreaterThanOrEqual(20);
  });

  it.each(answers.map((answer) => [answer.split("\n")[0], answer]))("%s: in at most ten lines", (_, answer = "") => {
    expect(answer.split("\n").slice(1).filter(isShown).length).toBeLessThanOrEqual(10);
  });
});

it("the README has fewer than 120 lines", () => {
  expect(read("README.md").split("\n").length).toBeLessThan(120);
});

function isShown(line: string): boolean {
  return line.trim() !== "" && !line.startsWith("```");
}

/** The words after `guildhall` wherever code calls it, up to a pipe, a comment or another command. */
function commandsIn(page: string): string[][] {
  const blocks = [...page.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```/gm)].map(([, text = ""]) => text);
  const spans = [...page.replace(/^ *```[\s\S]*?^ *```/gm, "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
  const lines = [...blocks.flatMap((block) => block.split("\n")), ...spans.map((span) => span.replace(/\s+/g, " "))];
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:^|[$|;&] )guildhall( [^|;&#<>)]*)/g)].map(([, words = ""]) =>
      words
        .replace(/'[^']*'|"[^"]*"/g, "TEXT")
        .trim()
        .split(/\s+/),
    ),
  );
}

function problemsOf(words: string[]): string[] {
  const [first = "", second = ""] = words;
  if (first === "" || first.startsWith("-")) return [];
  // A family of verbs, as in "service install|remove", or a noun alone.
  const verb = second.split("|")[0];
  const found = commands.find(({ path }) => path === `${first} ${verb}`) ?? commands.find(({ path }) => path === first);
  if (found === undefined && words.length === 1 && commands.some(({ noun }) => noun === first)) return [];
  if (found === undefined) return [`guildhall ${words.join(" ")}`];
  const known = [...GLOBAL, ...optionsOf(found.spec)];
  const unknown = words.filter((word) => /^--?[a-z]/.test(word) && !known.includes(word.split("=")[0] ?? ""));
  return unknown.map((option) => `guildhall ${found.path} ${option}`);
}

function optionsOf({ options = {} }: Pick<CommandEntry["spec"], "options">): string[] {
  return Object.entries(options).flatMap(([name, spec]) => spellings(name, spec));
}
