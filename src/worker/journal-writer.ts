import type { JournalEntry } from "../contract/runs/journal.ts";
import { lineText } from "../store/logs/durable-line.ts";
import type { LineUse, Log } from "../store/logs/log.ts";
import { PatientLines, type WriteTrouble } from "../store/logs/patient-lines.ts";

/** One for each who waits: what all wait for together would be kept in memory for ever. */
const never = () => new Promise<never>(() => undefined);

/**
 * Writes to the journal until it is closed or fails for good. `broken` rejects with the failure then; whoever writes later
 * waits for ever, so that an agent whose journal is gone never goes on.
 *
 * What asks for nothing to be done is written together with what follows it: the note that the run was taken up, and the
 * answer with which the model ends its turn, which the end of the run follows at once.
 */
export function journalWriter(log: Pick<Log, "append">, trouble: WriteTrouble) {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const lines = new PatientLines(log, trouble);
  let isOpen = true;
  let held: JournalEntry[] = [];
  const flush = async (entries: readonly JournalEntry[], use?: LineUse): Promise<void> => {
    const all = [...held, ...entries];
    held = [];
    try {
      await lines.write(all.map(lineText), use);
    } catch (error) {
      reject(error);
      await never();
    }
  };
  return {
    broken,
    /** Resolves when the disk takes lines, which is at once unless it did not take the last ones. */
    writable: () => lines.writable(),
    journal: async (entry: JournalEntry, use?: LineUse): Promise<void> => {
      if (!isOpen) await never();
      else if (canWait(entry)) held.push(entry);
      else await flush([entry], use);
    },
    /** Nobody else writes any more; what is left is written, and the end if there is one. `onWritten`: as of a log's `append`. */
    close: (end: readonly JournalEntry[], onWritten?: () => void): Promise<void> => {
      isOpen = false;
      return flush(end, { onWritten });
    },
  };
}

function canWait(entry: JournalEntry): boolean {
  return entry.type === "started" || (entry.type === "answer" && (entry.calls ?? []).length === 0);
}
