import { HallError } from "../../contract/errors.ts";
import type { Problem } from "../../contract/problem.ts";
import type { ProjectRow } from "../../store/index/project-table.ts";
import { dropUndefined } from "../tasks/task-file.ts";
import type { ProjectReading, Shared } from "./project-file.ts";
import { newProject } from "./project-rules.ts";

type Unreadable = ProjectReading & { ok: false };

/** What both files last said of the fields they share. That one of them is broken now does not make it forgotten. */
export function lastKnown(row: ProjectRow | undefined): Shared | undefined {
  const status = row?.status === "invalid" ? row.lastStatus : row?.status;
  return status === undefined ? undefined : { status, model: row?.model, workdir: row?.workdir };
}

/** The place in the index of a project whose files cannot be read. */
export function invalidRow(id: string, known: Shared | undefined): ProjectRow {
  const { config, paths } = newProject(id, { name: id, description: "", background: "" }, "");
  const last = { model: known?.model, workdir: known?.workdir, lastStatus: known?.status };
  const blank = { id, name: id, description: "", config, paths, team: [], createdAt: "", updatedAt: "", etag: "" };
  return dropUndefined({ ...blank, ...last, status: "invalid" }) as ProjectRow;
}

export function problemOf(id: string, { file, line, reason }: Unreadable): Problem {
  return { file, line, kind: "project", projectId: id, id, severity: "invalid", reason };
}

export function cannotBeRead(id: string, { file, line, reason }: Unreadable): HallError {
  return new HallError("file_invalid", `Project '${id}' cannot be read: ${reason}.`, { file, line });
}
