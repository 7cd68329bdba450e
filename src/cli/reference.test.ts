import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { errorTable } from "../contract/errors.ts";
import { argumentTerm, describe } from "./command-line.ts";
import {
  type CommandSpec,
  exampleText,
  globalOptions,
  nouns,
  type OptionSpec,
  spellings,
  takesValue,
} from "./command-spec.ts";
import { allCommands } from "./command-table.ts";

const DOCUMENT = fileURLToPath(new URL("../../docs/cli.md", import.meta.url));
const MARK = "--update -->\n";

const exits: Record<number, string> = {
  0: "Success",
  1: "A followed run did not complete, an agent gave no answer, the demo failed, or a bug in Guildhall",
  2: "Invalid usage or input",
  3: "Not found",
  4: "Conflict; also `audit verify` on a damaged log",
  5: "Not allowed",
  6: "The daemon is not running or is stopping",
  7: "Storage or configuration problem; also `doctor` when a check fails",
  130: "Interrupted with Ctrl-C. A followed run continues. `up`, and `demo` once it has finished, exit with 0 after the first Ctrl-C",
};

it("docs/cli.md describes every command as it is", async () => {
  const text = readFileSync(DOCUMENT, "utf8");
  const introduction = text.slice(0, text.indexOf(MARK) + MARK.length);
  expect(introduction).toContain(MARK);
  const commands = (await allCommands()).map(({ path, spec }) => commandSection(path, spec));
  const whole = [introduction, exitSection(), optionSection(), "## Commands\n", ...commands].join("\n");
  await expect(whole).toMatchFileSnapshot(DOCUMENT);
});

it("says what every noun is for, so that its help can be shown", async () => {
  const used = (await allCommands()).map(({ path }) => path.split(" ")).filter((words) => words.length > 1);
  expect(Object.keys(nouns)).toEqual(expect.arrayContaining([...new Set(used.map(([noun]) => noun))]));
});

function exitSection(): string {
  const rows = Object.entries(exits).map(([exit, meaning]) => {
    const codes = Object.entries(errorTable).flatMap(([code, row]) =>
      row.exit === Number(exit) ? [`\`${code}\``] : [],
    );
    return `| ${exit} | ${meaning} | ${codes.join(", ")} |`;
  });
  return ["## Exit codes\n", "| Code | Meaning | Errors |", "|---|---|---|", ...rows, ""].join("\n");
}

function optionSection(): string {
  return ["## Global options\n", ...optionRows(globalOptions), "| `-h, --help` | Show help |", ""].join("\n");
}

function commandSection(path: string, spec: CommandSpec): string {
  const args = Object.entries(spec.args ?? {});
  const usage = [
    "guildhall",
    path,
    ...args.map(([name, arg]) => argumentTerm(name, arg)),
    ...(spec.options ? ["[options]"] : []),
  ];
  const table = spec.options === undefined ? [] : [...optionRows(spec.options), ""];
  const meanings = args.map(([name, { help }]) => `- \`${name}\`: ${help}`);
  const examples = ["```sh", ...spec.examples.map((example) => exampleText(example, "guildhall")), "```", ""];
  const list = meanings.length === 0 ? [] : [...meanings, ""];
  return [`### ${path}\n`, `\`${usage.join(" ")}\`\n`, `${describe(spec)}\n`, ...list, ...table, ...examples].join(
    "\n",
  );
}

function optionRows(options: Record<string, OptionSpec>): string[] {
  const rows = Object.entries(options).map(([name, spec]) => {
    const value = !takesValue(spec) ? "" : spec.kind === "maybe" ? ` [${spec.value}]` : ` ${spec.value}`;
    const named = takesValue(spec) ? (spec.words ?? []) : [];
    const words = named.every((word) => spec.help.includes(word)) ? "" : ` (${named.join(", ")})`;
    return `| \`${spellings(name, spec).join(", ")}${value}\` | ${spec.help}${words} |`;
  });
  return ["| Option | Meaning |", "|---|---|", ...rows];
}
