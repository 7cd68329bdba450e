import type { ProjectKind } from "../../contract/words/teams/project-kinds.ts";
import type { ManifestKind } from "./manifest-kind.ts";

/** Lines of a manifest that may name any package without using it. */
const ABOUT = /^\s*(?:name|description|keywords|classifiers|authors?|homepage|repository|module)\b/;
const COMMENT = /(?:^|\s)(?:#|\/\/).*$/;

type Named = readonly (readonly [name: string, kind: ProjectKind])[];

const PYTHON: Named = [
  ["django", "django"],
  ["fastapi", "fastapi"],
  ["flask", "flask"],
];
const GO: Named = [
  ["github.com/spf13/cobra", "go-cli"],
  ["github.com/urfave/cli", "go-cli"],
];
const RUST: Named = [
  ["axum", "rust-service"],
  ["actix-web", "rust-service"],
  ["rocket", "rust-service"],
  ["clap", "rust-cli"],
];

/** Of a pyproject.toml, a requirements file or a setup file. */
export function kindOfPython(text: string): ManifestKind {
  const lines = linesOf(text);
  const found = firstNamed(lines, PYTHON);
  if (found !== undefined) return { ...found, language: "python" };
  const hasScripts = lines.some((line) => /^\s*\[(?:project\.scripts|tool\.poetry\.scripts)\]/.test(line));
  return hasScripts
    ? { kind: "python-cli", language: "python", because: "it installs commands" }
    : { kind: "python", language: "python", because: "no framework among its packages" };
}

export function kindOfGo(text: string): ManifestKind {
  const found = firstNamed(linesOf(text), GO);
  return { kind: "go", because: "a Go module", ...found, language: "go" };
}

export function kindOfCargo(text: string): ManifestKind {
  const found = firstNamed(linesOf(text), RUST);
  return { kind: "rust", because: "a Cargo manifest", ...found, language: "rust" };
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !ABOUT.test(line))
    .map((line) => line.replace(COMMENT, ""));
}

/** A package where it begins an entry: alone, quoted, or before a version. `django-stubs` is another one. */
function firstNamed(lines: readonly string[], named: Named): Omit<ManifestKind, "language"> | undefined {
  for (const [name, kind] of named) {
    const entry = new RegExp(
      `(?:^|["'\\s\\[,])${name.replaceAll(/[.\\/]/g, "\\$&")}(?:/v\\d+)?(?=\\s*(?:$|["'\\[\\s<>=!~;,({.]))(?!\\.\\w)`,
      "i",
    );
    if (lines.some((line) => entry.test(line))) return { kind, because: name };
  }
  return undefined;
}
