import { ESCALATION_STATUSES, type EscalationStatus } from "../../contract/documents/escalation-status.ts";
import { escalationNumber } from "../../store/index/escalation-row.ts";
import type { IndexedCore } from "../indexed-core.ts";
import { escalationFolder, escalationPath, idOfEscalationFile } from "../layout.ts";
import { escalationLock } from "./escalation-lock.ts";
import type { EscalationSync } from "./escalation-sync.ts";

/** The folders of escalations as a whole, for whoever compares files with the index. */
export class EscalationFiles {
  readonly #core: IndexedCore;
  readonly #sync: EscalationSync;

  constructor(core: IndexedCore, sync: EscalationSync) {
    this.#core = core;
    this.#sync = sync;
  }

  /** Every id with the folders that it is in, in the order of their numbers. */
  all(): [string, EscalationStatus[]][] {
    const found = new Map<string, EscalationStatus[]>();
    for (const folder of ESCALATION_STATUSES) {
      for (const name of this.#names(folder)) {
        const id = idOfEscalationFile(name);
        if (id !== undefined) found.set(id, [...(found.get(id) ?? []), folder]);
      }
    }
    return [...found].sort(([left], [right]) => escalationNumber(left) - escalationNumber(right));
  }

  /** Files with a name that is no id. */
  strays(): string[] {
    return ESCALATION_STATUSES.flatMap((folder) =>
      this.#names(folder)
        .filter((name) => name.endsWith(".json") && idOfEscalationFile(name) === undefined)
        .map((name) => `${escalationFolder(folder)}/${name}`),
    );
  }

  /** Fills the index for one id. Returns whether its file has to be mended. */
  load(id: string, folders: readonly EscalationStatus[]): boolean {
    return this.#sync.load(id, folders);
  }

  loaded(): void {
    this.#sync.loaded();
  }

  mend(id: string): Promise<void> {
    return this.#core.locks.run(escalationLock(id), () => this.#sync.mend(id));
  }

  /** Follows what a person did, unless the index has it already. */
  settle(id: string, isCurrent: (path: string) => boolean): Promise<void> {
    return this.#core.locks.run(escalationLock(id), async () => {
      const paths = ESCALATION_STATUSES.map((folder) => escalationPath(folder, id));
      if (!paths.every(isCurrent)) await this.#sync.settle(id, true);
    });
  }

  #names(folder: EscalationStatus): string[] {
    // A folder by the name of a file is a broken file.
    const { names, folders } = this.#core.files.namesAndFolders(escalationFolder(folder));
    return [...names, ...folders];
  }
}
