import { FORMAT } from "../../contract/format.ts";
import type { Problem } from "../../contract/problem.ts";
import { contentHash } from "../../store/changes/content-hash.ts";
import { BY_DAEMON, type Changes, type Committing, commit } from "../core.ts";
import { sealOf } from "../events/journal-seal.ts";
import { bookPath } from "../layout.ts";
import { copiesFolder, KeptCopies } from "./kept-copies.ts";
import { changedBookLine, migrateJournals } from "./run-lines.ts";
import { changedLines } from "./step.ts";

const FROM = 1;

/**
 * Brings the runs of a project that was copied from a workspace of format 1 to this program's format. Its book is replaced last:
 * after a crash its lines tell that there is something left to do. Throws ChangedMeanwhile when the book was written to.
 * Answers what the person is told, until the next start.
 */
export async function migrateCopiedProject(
  core: Committing & Pick<Changes, "files" | "clock">,
  projectId: string,
): Promise<Problem> {
  const { files } = core;
  const copies = new KeptCopies(files, copiesFolder(files, FROM, core.clock()));
  await migrateJournals({ files, copies }, projectId);
  const journals = copies.paths().flatMap((path) => sealOf(files, path) ?? []);
  const path = bookPath(projectId);
  const before = files.read(path);
  await copies.keep(path);
  const content = changedLines(before, changedBookLine) ?? before;
  const after = { from: FROM, to: FORMAT, copies: copies.folder, files: copies.paths().length, journals };
  await commit(
    core,
    { type: "workspace.migrated", actor: BY_DAEMON, projectId, subject: { kind: "project", id: projectId }, after },
    () => undefined,
    [{ kind: "put", path, content, base: contentHash(before) }],
  );
  const reason = `The runs of project '${projectId}' came from a workspace of format ${FROM} and were migrated to format ${FORMAT}. Copies of the changed files are in ${copies.folder}.`;
  return { file: path, kind: "format", projectId, severity: "warning", reason };
}
