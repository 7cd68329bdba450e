import { protectionOf } from "./paths.ts";
import { isSetAside } from "./set-aside-names.ts";

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

const MOST_STARS = 3;

interface Rule {
  pattern: RegExp;
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
    const below = path.slice(prefix.length);
    for (const rule of rules)
      if ((isFolder || !rule.onlyFolders) && rule.pattern.test(below)) ignored = !rule.isNegated;
  }
  return ignored;
}

function ruleOf(line: string): Rule[] {
  let text = line.replace(/(?<!\\)\s+$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const isNegated = text.startsWith("!");
  if (isNegated) text = text.slice(1);
  const onlyFolders = text.endsWith("/");
  if (onlyFolders) text = text.slice(0, -1);
  // More stars would take too long to try against a name made for it. What is not ignored is kept, which harms nobody.
  if ((text.match(/\*+/g)?.length ?? 0) > MOST_STARS) return [];
  const isAnchored = text.includes("/");
  const body = translated(text.replace(/^\//, ""));
  try {
    return [{ pattern: new RegExp(`^${isAnchored ? "" : "(?:.*/)?"}${body}$`, "su"), isNegated, onlyFolders }];
  } catch {
    return [];
  }
}

function translated(pattern: string): string {
  const token = /\*\*\/|\/\*\*$|\*+|\?|\[(?:!|\^)?\]?[^\]]*\]|\\(.)|./gsu;
  return pattern.replace(token, (found: string, escaped: string | undefined) => {
    if (escaped !== undefined) return quoted(escaped);
    if (found === "**/") return "(?:.*/)?";
    if (found === "/**") return "/.*";
    if (found.startsWith("*")) return "[^/]*";
    if (found === "?") return "[^/]";
    if (found.startsWith("[") && found.length > 2)
      return found
        .replace(/^\[[!^]/, "[^")
        .replace(/\\?([\\&~[])(?!^)/g, (text, sign, at) => (at === 0 ? text : `\\${sign}`));
    return quoted(found);
  });
}

function quoted(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}-]/g, (sign) => (sign === "-" ? "\\x2d" : `\\${sign}`));
}
