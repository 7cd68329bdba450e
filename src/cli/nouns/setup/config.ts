import { HallError } from "../../../contract/errors.ts";
import type { Setting } from "../../../contract/routes/settings-routes.ts";
import { isLive, sectionOf } from "../../../contract/words/setting-words.ts";
import { command } from "../../command.ts";
import type { ArgumentSpec } from "../../command-spec.ts";
import type { Context } from "../../context.ts";
import { commandFor } from "../../http/connection.ts";
import { oneLine } from "../../text/plain-text.ts";
import { fieldLines } from "../../text/text-card.ts";
import { type Column, textTable } from "../../text/text-table.ts";

const key = {
  kind: "one",
  help: "Setting or section, such as limits.runs or server.tls",
} as const satisfies ArgumentSpec;
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
      const setting = settings.find(({ key: each }) => each === wanted);
      if (setting !== undefined) {
        output.answer({ setting }, () => card(setting, output.paint));
        return 0;
      }
      const inScope = wanted === "" ? settings : found(settings, wanted);
      const shown = inScope.filter((each) => set !== true || each.set);
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
        "Keeps comments and all other lines. Separate list items with commas; 'null' removes a limit; other values are JSON. " +
        "A section takes all its settings at once, as a JSON object; settings it leaves out are reset. " +
        "Reports whether a restart is needed.",
      args: { key, value: { kind: "rest", help: "New value" } },
      options: { yes },
      examples: [
        "config set limits.runs 4",
        "config set models.default anthropic/claude-sonnet-4-6",
        "config set providers.anthropic.concurrency 2",
        `config set server.tls '{"cert": "/etc/hall/cert.pem", "key": "/etc/hall/key.pem"}'`,
      ],
    },
    async ({ key: name, value, yes: confirmed }, context) => {
      const { settings, etag } = await context.call("getSettings", {});
      const update = updateOf(settings, name, value);
      const keys = [...Object.keys(update.set), ...update.reset];
      const body = { ...update, confirmed: confirmed === true ? keys : [] };
      return tell({ name, done: `Set ${name}.` }, await change(body, etag, context), context);
    },
  ),

  "config reset": command(
    {
      summary: "Reset a setting to its default",
      args: { key },
      options: { yes },
      examples: ["config reset limits.runs", "config reset server.tls --yes"],
    },
    async ({ key: name, yes: confirmed }, context) => {
      const { settings, etag } = await context.call("getSettings", {});
      const reset = found(settings, name).map(({ key: each }) => each);
      const body = { set: {}, reset, confirmed: confirmed === true ? reset : [] };
      return tell({ name, done: `Reset ${name} to its default.` }, await change(body, etag, context), context);
    },
  ),
};

type Update = { set: Record<string, unknown>; reset: string[] };
type Body = Update & { confirmed: string[] };

async function change(body: Body, etag: string, { call }: Context) {
  try {
    return await call("updateSettings", { body, ifMatch: `"${etag}"` });
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    if (error.code === "confirmation_required")
      throw new HallError("confirmation_required", error.message, { hint: "Pass --yes to confirm." });
    const section = sectionOf(Object.keys(body.set)[0] ?? "");
    if (error.code !== "invalid" || section === undefined) throw error;
    throw new HallError("invalid", error.message, {
      hint: `Required settings of '${section}' must be set together, as a JSON object: config set ${section} '{…}'.`,
    });
  }
}

function tell(
  { name, done }: { name: string; done: string },
  answer: { needsRestart: boolean },
  { host, output, workspace }: Context,
): number {
  const isPending = answer.needsRestart && !isLive(name);
  const restart = `Takes effect after a restart: ${commandFor("restart", workspace, host)}`;
  output.answer(answer, () => `${done} ${isPending ? restart : "In effect now."}`);
  return 0;
}

/** The setting of this name, or all of this section. */
function found(settings: readonly Setting[], name: string): Setting[] {
  const wanted = settings.filter(({ key: each, section }) => each === name || section === name);
  if (wanted.length > 0) return wanted;
  const near = settings.filter(({ key: each }) => each.includes(name)).map(({ key: each }) => each);
  throw new HallError("usage", `Unknown setting '${name}'.`, {
    hint: near.length === 0 ? "List all settings with 'config get'." : `Did you mean ${near.slice(0, 5).join(", ")}?`,
  });
}

function updateOf(settings: readonly Setting[], name: string, value: string): Update {
  const setting = settings.find(({ key: each }) => each === name);
  if (setting !== undefined) return { set: { [name]: valueIn(setting, value) }, reset: [] };
  // A provider that is not known yet is a section too.
  const members = NEW_PROVIDER.test(name) ? settings.filter(({ section }) => section === name) : found(settings, name);
  const fields = fieldsIn(name, value);
  const set = Object.fromEntries(Object.entries(fields).map(([field, each]) => [`${name}.${field}`, each]));
  const reset = members.filter((each) => each.set && !Object.hasOwn(set, each.key)).map(({ key: each }) => each);
  return { set, reset };
}

const NEW_PROVIDER = /^providers\.[a-z0-9-]+$/;

function fieldsIn(name: string, text: string): object {
  const value = parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new HallError("usage", `'${name}' is a section: its value must be a JSON object.`, {
    hint: `Show its settings with 'config get ${name}'.`,
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
  return parsed(text);
}

function parsed(text: string): unknown {
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
