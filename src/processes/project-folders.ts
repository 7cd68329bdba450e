import type { FetchRules } from "../contract/documents/web.ts";
import type { Fingerprints } from "../contract/fingerprint.ts";

/** Where a project lies and where its agents work. */
export interface ProjectFolders {
  projectPath: string;
  workdir: string;
  /** How they may fetch pages. */
  web: FetchRules;
  /** What the project names as its env files. */
  envFiles?: string[];
  /** Of the daemon's own secrets. */
  fingerprints?: Fingerprints;
  /** Where agents of any project work. */
  agentFolders?: string[];
}

/** Why a run cannot work where it was to. */
export interface Refusal {
  cause: "project" | "folder" | "repository" | "setup";
  error: string;
}
