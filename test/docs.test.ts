import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { Config } from "../src/contract/documents/config.ts";
import { type ErrorCode, errorTable } from "../src/contract/errors.ts";
import { EVENT_TYPES } from "../src/contract/event-types.ts";
import { type EndpointName, endpoints } from "../src/contract/routes/endpoints.ts";
import { routes } from "../src/contract/routes/routes.ts";
import { hintText } from "../src/contract/words/hint.ts";
import { isLive, SETTING_WORDS } from "../src/contract/words/setting-words.ts";
import { ACTIONS, CALLERS, type CallerKind, RIGHTS, type Right } from "../src/workspace/rights.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("docs/api.md", () => {
  it("lists every endpoint and every error as the contract has them", async () => {
    const page = fill(fill(read("docs/api.md"), "endpoints", endpointTable()), "errors", errorRows());
    await expect(page).toMatchFileSnapshot(join(root, "docs/api.md"));
  });

  it("names every type of event", () => {
    const page = read("docs/api.md").replace(/\s+/g, " ");
    const types = page.slice(page.indexOf(" Types: "), page.indexOf("## Endpoints"));
    const missing = EVENT_TYPES.filter((type) => {
      const [subject = "", verb = ""] = type.split(".");
      return !types.includes(`\`${type}\``) && !(types.includes(`\`${subject}.\``) && types.includes(`\`${verb}\``));
    });
    expect(missing).toEqual([]);
  });
});

describe("docs/configuration.md", () => {
  it("lists every key of config.yml as Settings does, with its default", async () => {
    const page = fill(read("docs/configuration.md"), "settings", settingTable());
    await expect(page).toMatchFileSnapshot(join(root, "docs/configuration.md"));
    const explained = Object.keys(SETTING_WORDS);
    const isExplained = (key: string) => explained.some((name) => key === name || key.startsWith(`${name}.`));
    expect([...defaults().keys()].filter((key) => !isExplained(key))).toEqual([]);
  });

  it("has a whole file that holds the defaults", () => {
    const [, file = ""] = /^```yaml\n(version:[\s\S]*?)^```/m.exec(read("docs/configuration.md")) ?? [];
    const written = parse(file);
    expect(Config.parse(written)).toEqual(Config.parse({}));
    const missing = leaves(Config.parse({})).filter(([key]) => !leaves(written).some(([name]) => name === key));
    expect(missing).toEqual([]);
  });

  it("lists every environment variable that the program looks at", () => {
    const page = read("docs/configuration.md");
    const sources = ["bin/guildhall", ...globSync("src/**/*.ts", { cwd: root, exclude: ["**/*.test.ts"] })]
      .map(read)
      .join("\n");
    const names = new Set(sources.match(/\bGUILDHALL_[A-Z_]+\b|(?<=\benv\.)[A-Z_]+\b/g));
    names.delete("PATH");
    names.delete("TERM");
    expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("docs/operations.md", () => {
  it("has the table of rights as the daemon enforces it", async () => {
    const page = fill(read("docs/operations.md"), "rights", rightsTable());
    await expect(page).toMatchFileSnapshot(join(root, "docs/operations.md"));
  });

  it("leaves two columns out: the person may do everything, a stranger nothing", () => {
    const rows = Object.values(ACTIONS);
    expect(new Set(rows.map(({ person, stranger }) => `${person} ${stranger}`))).toEqual(new Set(["yes no"]));
  });
});

describe("the pages", () => {
  const pages = [...globSync("*.md", { cwd: root }), ...globSync("docs/**/*.md", { cwd: root })];

  it.each(pages)("%s links to files and headings that are there", (page) => {
    const links = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    expect(links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link))).toEqual([]);
  });

  it("have no marks of a merge that was not finished", () => {
    const pages = globSync("{*.md,docs/**/*.md}", { cwd: root });
    expect(pages.filter((path) => /^(?:<{7} |>{7} |\|{7} |={7}$)/m.test(read(path)))).toEqual([]);
  });

  it("the README has the two commands that set everything up, each alone on its line", () => {
    const lines = read("README.md").split("\n");
    expect(lines).toContain("npm ci && npm start");
    expect(lines).toContain("npm ci && npm test");
  });

  it("decisions are numbered without gaps and tell context, decision and consequences", () => {
    const names = readdirSync(join(root, "docs/decisions"))
      .filter((name) => name !== "README.md")
      .sort();
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, place) => place + 1));
    const list = read("docs/decisions/README.md");
    for (const name of names) {
      const headings = read(`docs/decisions/${name}`).match(/^#+ .*/gm) ?? [];
      expect([name, headings.slice(1)]).toEqual([name, ["## Context", "## Decision", "## Consequences"]]);
      expect(list).toContain(`(${name})`);
    }
  });
});

function endpointTable(): string {
  const groups = [...new Set(Object.values(routes).map(({ group }) => group))];
  const names = Object.keys(endpoints) as EndpointName[];
  return groups
    .map((group) => {
      const rows = names
        .filter((name) => routes[name].group === group)
        .map((name) => `| \`${endpoints[name]}\` | ${asText(routes[name].summary)} |`);
      return [`### ${group}\n`, "| Endpoint | What it does |", "|---|---|", ...rows].join("\n");
    })
    .join("\n\n");
}

/** With those of a section that has none until it is used. */
function defaults(): Map<string, unknown> {
  const files = { cert: "", key: "" };
  const config = Config.parse({ server: { tls: { cert: "cert.pem", key: "key.pem" } } });
  return new Map(leaves({ ...config, server: { ...config.server, tls: { ...config.server.tls, ...files } } }));
}

function settingTable(): string {
  const usual = defaults();
  const rows = Object.entries(SETTING_WORDS).map(([key, about]) => {
    const shown = usual.has(key) && usual.get(key) !== "" ? `\`${usual.get(key)}\`` : "";
    return `| \`${key}\` | ${shown} | ${isLive(key) ? "at once" : "restart"} | ${about} |`;
  });
  return ["| Key | Default | Takes effect | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function rightsTable(): string {
  // Nobody can make a token for a client yet.
  const unshown: readonly CallerKind[] = ["person", "client", "stranger"];
  const callers = (Object.keys(CALLERS) as CallerKind[]).filter((kind) => !unshown.includes(kind));
  const cell = (right: Right) => (right === "no" ? "" : right);
  const rows = Object.values(ACTIONS).map(
    (row) => `| ${row.what} | ${callers.map((kind) => cell(row[kind])).join(" | ")} |`,
  );
  const shown = Object.entries(RIGHTS).filter(([right]) => right !== "others");
  const legend = shown.map(([right, meaning]) => `- ${right === "no" ? "(empty)" : `**${right}**`}: ${meaning}`);
  const heading = ["", ...callers.map((kind) => CALLERS[kind])].join(" | ");
  const table = [`| ${heading} |`, `|${"---|".repeat(callers.length + 1)}`, ...rows];
  return [...table, "", ...legend].join("\n");
}

function errorRows(): string {
  const cliOnly: readonly ErrorCode[] = [
    "usage",
    "daemon_unreachable",
    "workspace_busy",
    "workspace_refused",
    "port_taken",
    "service_failed",
    "config_invalid",
  ];
  const rows = Object.entries(errorTable).map(([code, { status, exit, hint }]) => {
    const shown = cliOnly.includes(code as ErrorCode) ? "" : status;
    return `| \`${code}\` | ${shown} | ${exit} | ${asText(hintText(hint))} |`;
  });
  return ["| Code | Status | Exit | What to do |", "|---|---|---|---|", ...rows].join("\n");
}

/** Not to be taken for HTML. */
function asText(text: string): string {
  return text.replaceAll("<", "&lt;");
}

/** The page with other text between its two marks. */
function fill(page: string, mark: string, text: string): string {
  const [before, rest = ""] = page.split(`<!-- ${mark} -->\n`);
  const after = rest.slice(rest.indexOf(`<!-- /${mark} -->`));
  return `${before}<!-- ${mark} -->\n\n${text}\n\n${after}`;
}

function leaves(value: object, path = ""): [string, unknown][] {
  return Object.entries(value).flatMap(([key, entry]): [string, unknown][] => {
    if (Array.isArray(entry)) return entry.length === 0 ? [] : [[path + key, `[${entry.join(", ")}]`]];
    return typeof entry === "object" && entry !== null ? leaves(entry, `${path}${key}.`) : [[path + key, entry]];
  });
}

function withoutCode(page: string): string {
  return page.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || headingsOf(read(target)).includes(heading);
}

/** As the usual readers of Markdown name them. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
