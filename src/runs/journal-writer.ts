import type { JournalEntry } from "../contract/journal.ts";
import type { Log } from "../store/log.ts";

/** One for each who waits: what all wait for together would be kept in memory for ever. */
const never = () => new Promise<never>(() => undefined);

/**
 * Writes to the journal until it is closed or fails. `broken` rejects with the first failure; whoever writes later waits
 * for ever, so that an agent whose journal is gone never goes on.
 *
 * What asks for nothing to be done is written together with what follows it: the note that the run was taken up, and the
 * answer with which the model ends its turn, which the end of the run follows at once.
 */
export function journalWriter(log: Log) {
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  let isOpen = true;
  let held: JournalEntry[] = [];
  const write = async (entries: readonly JournalEntry[]): Promise<void> => {
    try {
      await Promise.all(entries.map((entry) => log.append(JSON.stringify(entry))));
    } catch (error) {
      reject(error);
      await never();
    }
  };
  const flush = (...entries: JournalEntry[]): Promise<void> => {
    const all = [...held, ...entries];
    held = [];
    return write(all);
  };
  return {
    broken,
    journal: async (entry: JournalEntry): Promise<void> => {
      if (!isOpen) await never();
      else if (canWait(entry)) held.push(entry);
      else await flush(entry);
    },
    /** Nobody else writes any more; what is left is written, and the end if there is one. */
    close: (...end: JournalEntry[]): Promise<void> => {
      isOpen = false;
      return flush(...end);
    },
  };
}

function canWait(entry: JournalEntry): boolean {
  return entry.type === "started" || (entry.type === "answer" && (entry.calls ?? []).length === 0);
}
