import { basename, dirname, join, normalize } from "node:path/posix";
import { parseJsonText } from "../../store/markup/json-text.ts";
import type { LocalChecks } from "../checks/local-checks.ts";
import type { Mention, TreeSource } from "../trees/tree-source.ts";

const CODE = /\.(?:ts|tsx|js|jsx)$/;
const CONFIG = /(?:^|\/)(?:\.[^/]*|[^/]*\.(?:config|setup|workspace)\.[^/]*|[^/]*rc\.[jt]s)$/;
const BARREL = /(?:^|\/)index\.[jt]sx?$/;
const TYPES = /\.d\.ts$/;
const STORY = /\.(?:stories|story|bench)\.[jt]sx?$/;

/** Lines that may import something. `export … from` counts as an import; so does a string alone on its line, as in a call. */
const IMPORT_LINES =
  "(from|import|require|URL)[[:space:]]*[(]?[[:space:]]*[\"'`]|^[[:space:]]*[\"'`][.@~#/][^\"'`]*[\"'`][,;) ]*$";
const SPECIFIER = /(?:(?:\bfrom|\bimport|\brequire|\bURL)\s*\(?\s*|^\s*)(["'`])([^"'`]+)\1/g;
const COMMENT = /^\s*(?:\/\/|\*|\/\*)/;
/** Files that name programs by their path instead of importing them. */
const NAMING =
  /(?:^|\/)(?:package\.json|[^/]*\.html|Dockerfile|Makefile|[^/]*\.(?:config|workspace)\.[^/]*|[^/]*\.ya?ml)$/;

/** Whether a new file must be reached from elsewhere: code that is no test, configuration or barrel. */
export function mustBeWired(path: string, isTest: (path: string) => boolean): boolean {
  return CODE.test(path) && ![CONFIG, BARREL, TYPES, STORY].some((pattern) => pattern.test(path)) && !isTest(path);
}

/** What one line of a file imports. */
function specifiersIn(text: string): string[] {
  return COMMENT.test(text)
    ? []
    : Array.from(text.matchAll(SPECIFIER), ([, , specifier = ""]) => specifier.split("?")[0] ?? "");
}

/** A pattern of tsconfig's `paths`, such as "@/*", and what it stands for, relative to the root. */
interface Alias {
  pattern: string;
  targets: string[];
}

/** Files without an extension, and folders, name one of these. */
const ENDINGS = ["", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"].flatMap((end) =>
  end === "" ? [end] : [end, `/index${end}`],
);

/** Paths that an import may lead to. */
function candidatesOf(importer: string, specifier: string, aliases: readonly Alias[]): string[] {
  const places = specifier.startsWith(".")
    ? [join(dirname(importer), specifier)]
    : aliases.flatMap((alias) => targetsOf(alias, specifier));
  return places
    .map((place) => normalize(place).replace(/^\/+/, ""))
    .flatMap((place) => {
      // A compiled name stands for its source.
      const source = place.replace(/\.(?:[cm]?js|jsx)$/, "");
      const sources = source === place ? [] : [`${source}.ts`, `${source}.tsx`];
      return [...ENDINGS.map((end) => `${place}${end}`), ...sources];
    });
}

function targetsOf({ pattern, targets }: Alias, specifier: string): string[] {
  const [head = "", tail] = pattern.split("*");
  if (tail === undefined) return specifier === pattern ? targets : [];
  if (!specifier.startsWith(head) || !specifier.endsWith(tail)) return [];
  const middle = specifier.slice(head.length, specifier.length - tail.length);
  return targets.map((target) => target.replace("*", middle));
}

/** Aliases that nothing here knows, such as those of a bundler: the rest of the name after the first part decides. */
function mayBeAlias(path: string, specifier: string): boolean {
  if (specifier.startsWith(".")) return false;
  const rest = specifier.replace(/^@[\w-]+\/[^/]+\/|^[^/]+\//, "");
  const bare = path.replace(/\.\w+$/, "");
  return rest !== specifier && rest !== "" && (bare === rest || bare.endsWith(`/${rest.replace(/\.\w+$/, "")}`));
}

/** New files that nothing but tests imports. */
export async function unwiredFiles(
  {
    trees,
    checks,
    tree,
  }: { trees: Pick<TreeSource, "search" | "read" | "paths">; checks: Pick<LocalChecks, "isTest">; tree: string },
  added: readonly string[],
): Promise<string[]> {
  const wanted = new Set(added.filter((path) => mustBeWired(path, (each) => checks.isTest(each))));
  if (wanted.size === 0) return [];
  const aliases = await aliasesIn(trees, tree);
  for (const { path: importer, text } of await trees.search(tree, IMPORT_LINES)) {
    if (checks.isTest(importer)) continue;
    for (const specifier of specifiersIn(text)) {
      const reached = new Set(candidatesOf(importer, specifier, aliases));
      for (const path of wanted)
        if (path !== importer && (reached.has(path) || mayBeAlias(path, specifier))) wanted.delete(path);
    }
  }
  for (const path of wanted) if (await isEntry(trees, tree, path)) wanted.delete(path);
  return [...wanted];
}

/** Programs are started, not imported. */
async function isEntry(trees: Pick<TreeSource, "search" | "read">, tree: string, path: string): Promise<boolean> {
  if (String((await trees.read(tree, path)) ?? "").startsWith("#!")) return true;
  const name = basename(path).replace(/\.\w+$/, "");
  const mentions: Mention[] = await trees.search(tree, name.replaceAll(/[^\w-]/g, "."));
  return mentions.some(
    ({ path: other, text }) => NAMING.test(other) && new RegExp(`[/"' =]${escaped(name)}\\.\\w+`).test(` ${text}`),
  );
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

async function aliasesIn(trees: Pick<TreeSource, "read" | "paths">, tree: string): Promise<Alias[]> {
  const settings = (await trees.paths(tree)).filter((path) => /(?:^|\/)(?:ts|js)config(?:\.\w+)?\.json$/.test(path));
  const found = await Promise.all(
    settings.map(async (path) => aliasesOf(String((await trees.read(tree, path)) ?? ""), dirname(path))),
  );
  return found.flat();
}

/** Of a tsconfig in a folder. Comments and trailing commas are allowed there. */
export function aliasesOf(text: string, folder: string): Alias[] {
  const plain = text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, "$1")
    .replaceAll(/,(\s*[}\]])/g, "$1");
  const outcome = parseJsonText(plain);
  const options = outcome.ok ? recordOf(recordOf(outcome.value)?.compilerOptions) : undefined;
  const { baseUrl, paths } = options ?? {};
  const base = join(folder, typeof baseUrl === "string" ? baseUrl : ".");
  const named = Object.entries(recordOf(paths) ?? {}).map(([pattern, targets]) => ({
    pattern,
    targets: (Array.isArray(targets) ? targets : [])
      .filter((one) => typeof one === "string")
      .map((one) => join(base, one)),
  }));
  return typeof baseUrl === "string" ? [...named, { pattern: "*", targets: [join(base, "*")] }] : named;
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
