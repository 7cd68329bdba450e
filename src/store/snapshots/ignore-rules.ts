import { protectionOf } from "../files/paths.ts";
import { isSetAside } from "../files/set-aside-names.ts";
import { fitsPath, type PathPattern, pathPattern } from "../wildcards.ts";

/** Names that versions, dependencies and builds are kept under: large, made again at will, and not the person's work. */
const PASSED_OVER = new Set([
  ...[".git", ".hg", ".svn", "node_modules", "bower_components", ".venv", "venv", "__pycache__", ".tox"],
  ...[".mypy_cache", ".pytest_cache", ".next", ".turbo", ".cache", ".gradle", "target", "coverage", "dist", "build"],
]);

const ONLY_FOLDERS = new Set(["target", "coverage", "dist", "build", "venv"]);

/** What usually holds secrets is not copied either: agents can neither read nor change it. */
export function isPassedOver(name: string, isFolder: boolean): boolean {
  const isNobodysWork = PASSED_OVER.has(name) && (isFolder || !ONLY_FOLDERS.has(name));
  return isNobodysWork || isSetAside(name) || protectionOf(name) === "secret";
}

interface Rule {
  pattern: PathPattern;
  isNegated: boolean;
  onlyFolders: boolean;
}

/** The rules of one .gitignore, for paths relative to its folder. */
export interface IgnoreFile {
  /** The folder it lies in with a slash behind it; "" is the top. */
  prefix: string;
  rules: Rule[];
}

export function parseIgnoreFile(prefix: string, text: string): IgnoreFile {
  return { prefix, rules: text.split(/\r?\n/).flatMap(ruleOf) };
}

/** The last rule that fits decides; rules of deeper folders come later. */
export function isIgnored(path: string, isFolder: boolean, files: readonly IgnoreFile[]): boolean {
  let ignored = false;
  for (const { prefix, rules } of files) {
    const names = path.slice(prefix.length).split("/");
    for (const rule of rules)
      if ((isFolder || !rule.onlyFolders) && fitsPath(rule.pattern, names)) ignored = !rule.isNegated;
  }
  return ignored;
}

function ruleOf(line: string): Rule[] {
  let text = withoutBlanks(line);
  if (text === "" || text.startsWith("#")) return [];
  const isNegated = text.startsWith("!");
  if (isNegated) text = text.slice(1);
  const onlyFolders = text.endsWith("/");
  if (onlyFolders) text = text.slice(0, -1);
  const names = text.replace(/^\//, "").split("/");
  // A rule without a slash is for every folder; one that ends with `**` is for what is inside, not for the folder itself.
  const everywhere = text.includes("/") ? names : ["**", ...names];
  const whole = everywhere.at(-1) === "**" ? [...everywhere, "*"] : everywhere;
  return [{ pattern: pathPattern(whole, true), isNegated, onlyFolders }];
}

/** At its end, where the first may be escaped. Not by a pattern: agents write these files, and long runs of blanks would take minutes. */
function withoutBlanks(line: string): string {
  const bare = line.trimEnd();
  return bare.endsWith("\\") ? line.slice(0, bare.length + 1) : bare;
}
