import { dirname } from "node:path";
import { journalLines } from "../agent/journal-entries.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { RunPlan } from "../contract/runs/run.ts";
import type { Files } from "../store/files/files.ts";
import type { DiskWait } from "../store/host/disk-wait.ts";
import type { Log } from "../store/logs/log.ts";
import type { WriteTrouble } from "../store/logs/patient-lines.ts";

/** What the journal of a run says, and where more of it is written. */
export interface RunJournal {
  entries: JournalEntry[];
  log: Pick<Log, "append">;
  trouble: WriteTrouble;
  /** Resolves when what it says is on the disk, whoever wrote it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface Where {
  journals: Files;
  path: string;
  disk: DiskWait;
}

/** Waits until the disk lets it be opened. */
export async function openJournal({ journals, path, disk }: Where): Promise<RunJournal> {
  const { log, tail } = await disk.until(() => journals.openLog(path, Number.POSITIVE_INFINITY));
  const read = journalLines(journals, path);
  return { entries: tail.values.flatMap((value) => read(value) ?? []), ...writtenTo(log, { journals, path, disk }) };
}

/**
 * The journal of a run that is about to be created: the daemon makes it, and nothing is written before that. What is written
 * waits for `begun`, and is refused when that rejects.
 */
export function awaitedJournal({ plan, begun, ...where }: Where & { plan: RunPlan; begun: Promise<void> }): RunJournal {
  const { journals, path, disk } = where;
  const opening = begun.then(async () => {
    const { log, end } = await disk.until(() => journals.openLogEnd(path));
    if (end > 0) return writtenTo(log, where);
    await log.close();
    throw new Error("The first line of the run's journal is missing.");
  });
  opening.catch(() => undefined);
  return {
    entries: [{ type: "plan", plan }],
    log: { append: async (line, use) => (await opening).log.append(line, use) },
    trouble: { waits: async (error) => (await opening).trouble.waits(error), goesOn: () => disk.goesOn() },
    sync: async () => (await opening).sync(),
    close: () =>
      opening.then(
        ({ close }) => close(),
        () => undefined,
      ),
  };
}

function writtenTo(log: Log, { journals, path, disk }: Where): Omit<RunJournal, "entries"> {
  return {
    log: withName(log, () => journals.syncFolder(dirname(path))),
    trouble: disk.of(log),
    sync: async () => {
      const file = journals.openContained(path, ".");
      await file.sync().finally(() => file.close());
    },
    close: () => log.close(),
  };
}

/** The daemon made the journal without syncing it: before a line counts as written, the name of its file is on the disk. */
function withName(log: Log, syncName: () => Promise<void>): Pick<Log, "append"> {
  let named = syncName();
  named.catch(() => undefined);
  const again = () => {
    named = syncName();
    return named;
  };
  return { append: (line, use) => named.catch(again).then(() => log.append(line, use)) };
}
