import { AcceptedSkills, type SkillOrigin, type SkillState } from "../../contract/documents/skill.ts";
import type { FolderReader } from "../../store/files/folder-reader.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import { reasonOf } from "./skill-pack.ts";

/** Relative to the workspace. People may read it, and take a line out. */
export const ACCEPTED_FILE = "skills/accepted.json";
const NONE: AcceptedSkills = { version: 1, accepted: {} };

interface Reading {
  accepted: AcceptedSkills;
  problem?: string;
}

const readings = new KeptReading<Reading>(10);

/** What was accepted; a file that cannot be read accepts nothing. */
export function readAccepted(workspace: FolderReader): Reading {
  try {
    return readings.of(`${workspace.root}/${ACCEPTED_FILE}`, () => readingOf(workspace), { accepted: NONE });
  } catch (error) {
    const problem = error instanceof SyntaxError ? "it is not JSON" : reasonOf(error);
    if (problem === undefined) throw error;
    return { accepted: NONE, problem };
  }
}

function readingOf(workspace: FolderReader): Reading {
  const parsed = AcceptedSkills.safeParse(JSON.parse(workspace.read(ACCEPTED_FILE).toString("utf8")));
  return parsed.success ? { accepted: parsed.data } : { accepted: NONE, problem: "it has an invalid format" };
}

/** A pack by whose it is: one of the same name in another project is another. */
export function acceptedKey(origin: SkillOrigin, projectId: string | undefined, slug: string): string {
  return origin === "hall" ? `hall/${slug}` : `${origin}/${projectId ?? ""}/${slug}`;
}

export function stateOf({ accepted }: AcceptedSkills, key: string, hash: string): SkillState {
  const known = Object.hasOwn(accepted, key) ? accepted[key] : undefined;
  if (known === undefined) return "new";
  return known.hash === hash ? "accepted" : "changed";
}
