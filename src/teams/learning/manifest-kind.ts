import { cutText } from "../../contract/words/cut-text.ts";
import type { KindLanguage, ProjectKind } from "../../contract/words/teams/project-kinds.ts";
import { plainLine } from "./plain-line.ts";

/** What a manifest says. */
export interface ManifestKind {
  kind: ProjectKind;
  language: KindLanguage;
  /** What decided it, without the name of the file. */
  because: string;
}

const LONGEST_VERSION = 40;

/** A package as it stands in a manifest, which anyone may have written. */
export function packageText(name: string, version: unknown): string {
  return typeof version === "string" ? plainLine(`${name} ${cutText(version, LONGEST_VERSION)}`) : name;
}
