import { HallError } from "../../../contract/errors.ts";
import type { Setting } from "../../../contract/routes/settings-routes.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import type { Context } from "../../context.ts";
import { commandFor } from "../../http/connection.ts";
import { oneLine } from "../../text/plain-text.ts";
import { fieldLines } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const key = { kind: "one", help: "Setting, such as limits.runs" } as const satisfies ArgumentSpec;
const yes = {
  kind: "flag",
  short: "y",
  help: "Confirm a change that affects secrets or agent permissions",
} as const;

export const commands = {
  "config get": command(
    {
      summary: "Show one or all settings",
      args: { key: { ...key, kind: "maybe-rest" } },
      options: { set: { kind: "flag", help: "Only settings in config.yml" } },
      examples: ["config get", "config get limits.runs", "config get --set --json"],
    },
    async ({ key: wanted, set }, { call, output }) => {
      const { settings, needsRestart } = await call("getSettings", {});
      if (wanted !== "") {
        const setting = found(settings, wanted);
        output.answer({ setting }, () => card(setting, output.paint));
        return 0;
      }
      const shown = settings.filter((each) => set !== true || each.set);
      output.answer({ settings: shown, needsRestart }, () =>
        shown.length === 0
          ? "config.yml is empty. All settings have their defaults."
          : textTable(columns, shown, output),
      );
      return 0;
    },
  ),

  "config set": command(
    {
      summary: "Change a setting in config.yml",
      detail:
        "Keeps comments and all other lines. Separate list items with commas; 'null' removes a limit; other values are YAML or JSON. " +
        "Reports whether a restart is needed.",
      args: { key, value: { kind: "rest", help: "New value" } },
      options: { yes },
      examples: ["config set limits.runs 4", "config set models.default anthropic/claude-sonnet-4-6"],
    },
    async ({ key: name, value, yes: confirmed }, context) => {
      const { settings, etag } = await context.call("getSettings", {});
      const setting = found(settings, name);
      const body = { set: { [name]: valueIn(setting, value) }, confirmed: confirmed === true ? [name] : [] };
      return tell(`Set ${name}.`, await change(body, etag, context), context);
    },
  ),

  "config reset": command(
    {
      summary: "Reset a setting to its default",
      args: { key },
      options: { yes },
      examples: ["config reset limits.runs"],
    },
    async ({ key: name, yes: confirmed }, context) => {
      const { settings, etag } = await context.call("getSettings", {});
      found(settings, name);
      const body = { reset: [name], confirmed: confirmed === true ? [name] : [] };
      return tell(`Reset ${name} to its default.`, await change(body, etag, context), context);
    },
  ),
};

type Body = { set?: Record<string, unknown>; reset?: string[]; confirmed: string[] };

async function change(body: Body, etag: string, { call }: Context) {
  try {
    return await call("updateSettings", { body, ifMatch: `"${etag}"` });
  } catch (error) {
    if (!(error instanceof HallError) || error.code !== "confirmation_required") throw error;
    throw new HallError("confirmation_required", error.message, { hint: "Pass --yes to confirm." });
  }
}

function tell(done: string, answer: { needsRestart: boolean }, { host, output, workspace }: Context): number {
  const restart = `Takes effect after a restart: ${commandFor("restart", workspace, host)}`;
  output.answer(answer, () => (answer.needsRestart ? `${done} ${restart}` : `${done} In effect now.`));
  return 0;
}

function found(settings: readonly Setting[], name: string): Setting {
  const setting = settings.find(({ key: each }) => each === name);
  if (setting !== undefined) return setting;
  const near = settings.filter(({ key: each }) => each.includes(name)).map(({ key: each }) => each);
  throw new HallError("usage", `Unknown setting '${name}'.`, {
    hint: near.length === 0 ? "List all settings with 'config get'." : `Did you mean ${near.slice(0, 5).join(", ")}?`,
  });
}

/** A text stays a text, whatever it looks like. */
function valueIn({ form }: Setting, text: string): unknown {
  if (form.nullable === true && text === "null") return null;
  if (form.kind === "text" || form.kind === "choice") return text;
  if (form.kind === "list" && !text.trim().startsWith("[")) {
    const items = text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
    return form.numbers === true ? items.map(Number) : items;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const columns: Column<Setting>[] = [
  { title: "SETTING", text: ({ key: name }) => name, style: ({ set }) => (set ? "bold" : undefined) },
  { title: "VALUE", text: ({ value }) => valueText(value) },
  { title: "ABOUT", text: ({ about }) => about, spare: 1 },
];

function card(
  { key: name, value, default: usual, set, about, restart }: Setting,
  paint: Context["output"]["paint"],
): string {
  const fields: [string, string | undefined][] = [
    ["value", valueText(value)],
    ["default", set ? valueText(usual) : undefined],
    ["set", set ? "in config.yml" : "no (default)"],
    ["takes effect", restart ? "after a restart" : "immediately"],
    ["about", about],
  ];
  return [paint("bold", name), ...fieldLines(fields, paint)].join("\n");
}

function valueText(value: unknown): string {
  if (value === null) return "none";
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}
