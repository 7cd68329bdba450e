import { TeamDocument } from "../contract/documents/teams/team.ts";
import type { Problem } from "../contract/problem.ts";
import { errorText } from "../contract/words/error-text.ts";
import type { Files } from "../store/files/files.ts";
import { withoutFormat } from "../store/logs/durable-document.ts";
import { takeLines } from "../store/logs/whole-log.ts";
import { projectRoot } from "../workspace/layout.ts";
import { TeamLine } from "./machine/team-facts.ts";

/** Where the folders of teams lie, relative to the workspace. */
export const teamsFolder = (projectId: string) => `${projectRoot(projectId)}/teams`;
export const archiveFolder = (projectId: string) => `${teamsFolder(projectId)}/.archive`;

interface Named {
  projectId: string;
  id: string;
}

/** The files of one team. */
export function teamPaths({ projectId, id }: Named) {
  const folder = `${teamsFolder(projectId)}/${id}`;
  return {
    folder,
    document: `${folder}/team.json`,
    state: `${folder}/state.jsonl`,
    spec: `${folder}/spec.md`,
    report: `${folder}/report.md`,
    roleSpecs: `${folder}/role-specs`,
    messages: `${folder}/messages.jsonl`,
    memory: `${folder}/shared-memory.json`,
    wisdom: `${folder}/wisdom`,
    artifacts: `${folder}/artifacts`,
    lessons: `${folder}/lessons.json`,
  };
}

const SPEC = /^projects\/([^/]+)\/teams\/([^/.][^/]*)\/(?:spec\.md|role-specs\/[^/]+\.md)$/;

/** The team whose spec or role-spec a path is; undefined for any other path. */
export function teamOfSpec(path: string): string | undefined {
  return SPEC.exec(path)?.[2];
}

/** Folders in which the watcher looks for specs. */
export function isTeamFolder(folder: string): boolean {
  return /^(?:\.|projects(?:\/[^/.][^/]*(?:\/teams(?:\/[^/.][^/]*(?:\/role-specs)?)?)?)?)$/.test(folder);
}

export type ReadTeam =
  | { is: "read"; document: TeamDocument; lines: TeamLine[] }
  /** It belongs to the project that this one was copied from. */
  | { is: "copied" }
  | { is: "broken"; problem: Problem };

/** What the folder of a team says. A file that can't be read is left as it is. */
export function readTeam(files: Pick<Files, "text" | "exists">, named: Named): ReadTeam {
  const paths = teamPaths(named);
  const broken = (file: string, reason: string, line?: number): ReadTeam => ({
    is: "broken",
    problem: {
      ...{ file, kind: "team", projectId: named.projectId, id: named.id, severity: "invalid", reason },
      ...(line === undefined ? {} : { line }),
    },
  });
  let document: TeamDocument;
  try {
    document = TeamDocument.parse(withoutFormat(JSON.parse(files.text(paths.document))));
  } catch (error) {
    return broken(paths.document, `the team can't be read: ${errorText(error)}`);
  }
  if (document.projectId !== named.projectId) return { is: "copied" };
  if (document.id !== named.id)
    return broken(paths.document, `id: '${document.id}' does not match the folder '${named.id}'`);
  const lines: TeamLine[] = [];
  const take = (line: TeamLine) => {
    if (line.seq !== lines.length + 1) throw new Error(`seq: ${line.seq} where ${lines.length + 1} is expected`);
    lines.push(line);
  };
  const fault = takeLines(files, paths.state, { schema: TeamLine, take });
  if (fault !== undefined) return broken(paths.state, fault.reason, fault.line);
  if (lines.length === 0) return broken(paths.state, "there is no line that says that the team was formed");
  return { is: "read", document, lines };
}
