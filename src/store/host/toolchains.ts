import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entriesIn, isWithin } from "../files/folders.ts";
import { protectionOf } from "../files/paths.ts";
import { placeKind } from "./host-places.ts";

/** Folders right in a home that hold toolchains and nothing else. */
const TOOL_HOMES = new Set([
  ".asdf",
  ".bun",
  ".deno",
  ".elan",
  ".fnm",
  ".ghcup",
  ".goenv",
  ".jenv",
  ".nodenv",
  ".nvm",
  ".pyenv",
  ".rbenv",
  ".rustup",
  ".sdkman",
  ".volta",
]);

/** Folders of programs, whose libraries are next to them. */
const PROGRAM_FOLDERS = new Set(["bin", "sbin", "shims"]);
const SCRIPT_FOLDERS = new Set([...PROGRAM_FOLDERS, ".bin", "scripts"]);
/** What programs need from the folder around theirs. Never `etc`, `conf` or `var`: settings may hold passwords. */
const BESIDE = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "libexec", "include", "share", "man"];

/** Toolchains that need more, recognized by what they all have. */
const KINDS: readonly { has: readonly string[]; needs: readonly string[] }[] = [
  { has: ["VERSION", "src/runtime"], needs: ["src", "pkg", "api", "misc", "VERSION", "go.env"] },
  { has: ["release", "lib/modules"], needs: ["conf", "jmods", "legal", "release"] },
  { has: ["release", "jre"], needs: ["jre", "release"] },
  { has: ["include/node", "lib/node_modules"], needs: [] },
  { has: ["pyvenv.cfg"], needs: ["pyvenv.cfg"] },
  { has: ["conda-meta"], needs: ["conda-meta", "ssl", "compiler_compat"] },
  { has: ["Cellar"], needs: ["Cellar", "Frameworks", "opt", "etc/openssl@3", "etc/ca-certificates"] },
  { has: ["bin/port"], needs: ["Library/Frameworks"] },
  { has: ["boot", "bin/mvn"], needs: ["boot"] },
  { has: ["nvvm"], needs: ["nvvm", "targets", "extras"] },
  { has: ["gems", "specifications"], needs: ["gems", "specifications", "extensions"] },
  ...["pyenv", "rbenv", "nodenv", "goenv", "jenv"].map((name) => ({
    has: [`libexec/${name}`],
    needs: ["completions", "plugins", "shims", "version", "versions"],
  })),
];

/** Where version managers keep what they install, even though they are repositories themselves. */
const MANAGERS = ["nvm.sh", "asdf.sh", "libexec/pyenv", "libexec/rbenv", "libexec/nodenv", "libexec/goenv"];

const PROJECT_SIGNS = new Set([
  ".git",
  ".hg",
  ".svn",
  ".idea",
  ".vscode",
  ".claude",
  "AGENTS.md",
  "CLAUDE.md",
  "CMakeLists.txt",
  "Cargo.toml",
  "Dockerfile",
  "Gemfile",
  "Makefile",
  "PROJECT.json",
  "Pipfile",
  "Rakefile",
  "build.gradle",
  "build.gradle.kts",
  "compose.yaml",
  "compose.yml",
  "composer.json",
  "deno.json",
  "docker-compose.yaml",
  "docker-compose.yml",
  "go.mod",
  "mix.exs",
  "package.json",
  "pom.xml",
  "pyproject.toml",
  "requirements.txt",
  "setup.py",
  "tsconfig.json",
]);

/**
 * What to show so that the programs in a folder of PATH run: that folder, and the folders of its toolchain. Next to a `bin`
 * there may be a whole project, of which only the `bin` is shown. Empty when the folder is itself a project.
 */
export function toolchainOf(path: string, home: string): string[] {
  const inHome = isWithin(path, home) ? path.slice(home.length + 1).split("/") : [];
  const [first = ""] = inHome;
  if (TOOL_HOMES.has(first)) return [join(home, first)];
  if (!SCRIPT_FOLDERS.has(basename(path)) && isProject(path)) return [];
  const around = dirname(path);
  if (!PROGRAM_FOLDERS.has(basename(path)) || around === "/" || isWithin(home, around)) return [path];
  const needs = KINDS.find(({ has }) => has.every((name) => existsSync(join(around, name))))?.needs;
  // `~/x` may hold anything: `~/.cargo` has credentials, `~/.local/share` has keyrings.
  const isOpen = needs !== undefined || (inHome.length !== 2 && !isInProject(around, home));
  if (!isOpen) return [path];
  const beside = [...BESIDE, ...(needs ?? [])].map((name) => join(around, name));
  return [...new Set([path, ...beside.filter((one) => placeKind(one) !== undefined)])];
}

function isInProject(folder: string, home: string): boolean {
  if (folder === "/" || isWithin(home, folder)) return false;
  if (MANAGERS.some((name) => existsSync(join(folder, name)))) return false;
  return isProject(folder) || isInProject(dirname(folder), home);
}

function isProject(folder: string): boolean {
  return entriesIn(folder).some(({ name }) => PROJECT_SIGNS.has(name) || protectionOf(name, "elsewhere") === "secret");
}
