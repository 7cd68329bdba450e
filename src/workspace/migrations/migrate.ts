import { FORMAT } from "../../contract/format.ts";
import type { Files } from "../../store/files/files.ts";
import type { Clock } from "../../store/ids.ts";
import { BY_DAEMON } from "../core.ts";
import type { EventLog } from "../events/event-log.ts";
import { sealOf } from "../events/journal-seal.ts";
import { assertReadable, readFormat, writeFormat } from "../hall/workspace-format.ts";
import { migrateConfigVersion } from "./config-version.ts";
import { copiesFolder, KeptCopies } from "./kept-copies.ts";
import { moveState } from "./move-state.ts";
import { migrateRunLines } from "./run-lines.ts";
import type { MigrationStep } from "./step.ts";

/** By the format that they begin with, in their order. That old programs refuse the workspace comes first. */
const STEPS: Readonly<Record<number, readonly MigrationStep[]>> = {
  1: [migrateConfigVersion, moveState, migrateRunLines],
};

const JOURNAL = /^projects\/[^/]+\/runs\/\d{4}-\d\d-\d\d\/[^/]+\.jsonl$/;

export interface Migration {
  from: number;
  to: number;
  /** The folder with copies of the files that were changed. */
  copies: string;
  /** How many those are. */
  files: number;
}

interface Parts {
  files: Files;
  events: Pick<EventLog, "read" | "tail" | "append">;
  clock: Clock;
  /** Of this program. */
  version: string;
}

/**
 * Brings a workspace to the format of this program; undefined when it has that already. One that was interrupted is completed
 * by the next start, with the same folder of copies. The format counts as new when everything else is durable.
 */
export async function migrate({ files, events, clock, version }: Parts): Promise<Migration | undefined> {
  assertReadable(files);
  const { format: from, migrating } = readFormat(files);
  if (from === FORMAT) return undefined;
  const folder = migrating?.to === FORMAT ? migrating.copies : copiesFolder(files, from, clock());
  await writeFormat(files, { format: from, writtenBy: version, migrating: { to: FORMAT, copies: folder } });
  const copies = new KeptCopies(files, folder);
  for (let format = from; format < FORMAT; format++)
    for (const step of STEPS[format] ?? []) await step({ files, events, copies });
  const migration = { from, to: FORMAT, copies: folder, files: copies.paths().length };
  await tell(migration, { files, events, copies, isResumed: migrating !== undefined });
  await writeFormat(files, {
    format: FORMAT,
    writtenBy: version,
    migrated: { from, at: clock().toISOString(), copies: folder },
  });
  return migration;
}

/** Journals that were changed are sealed again: the audit compares them with this event. */
async function tell(
  migration: Migration,
  { files, events, copies, isResumed }: Pick<Parts, "files" | "events"> & { copies: KeptCopies; isResumed: boolean },
): Promise<void> {
  const told = isResumed ? events.tail({ count: 1, type: "workspace.migrated" }) : [];
  if (told.some(({ after }) => after?.copies === copies.folder)) return;
  const journals = copies.paths().filter((path) => JOURNAL.test(path));
  await events.append({
    type: "workspace.migrated",
    actor: BY_DAEMON,
    subject: { kind: "workspace", id: "hall" },
    after: { ...migration, journals: journals.flatMap((path) => sealOf(files, path) ?? []) },
  });
}
