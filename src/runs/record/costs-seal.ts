import type { Files } from "../../store/files/files.ts";
import { LineDigests, type LineSeal } from "../../workspace/events/line-seal.ts";

const COSTS_FOLDER = "costs";
const DAY_FILE = /^\d{4}-\d\d-\d\d\.jsonl$/;
/** The day that is written in, and the one before, whose last lines may have come after its last seal. */
const DAYS = 2;

/** Seals the ledger with the end of each run: what it has had since the last seal. Only lines that are on the disk are told of. */
export class CostsSeal {
  readonly #files: Files;
  readonly #known = new Map<string, LineDigests>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Files with something new. */
  async take(): Promise<LineSeal[]> {
    const names = this.#files.names(COSTS_FOLDER).filter((name) => DAY_FILE.test(name));
    const paths = names.slice(-DAYS).map((name) => `${COSTS_FOLDER}/${name}`);
    for (const path of this.#known.keys()) if (!paths.includes(path)) this.#known.delete(path);
    const seals = await Promise.allSettled(paths.map((path) => this.#seal(path)));
    // A run ends whether or not its costs can be read; what is not told of now is told of with the next one.
    return seals.flatMap((seal) => (seal.status === "fulfilled" && seal.value !== undefined ? [seal.value] : []));
  }

  async #seal(path: string): Promise<LineSeal | undefined> {
    const file = this.#files.openContained(path, ".");
    try {
      await file.sync();
      const before = this.#known.get(path);
      const known = before === undefined || before.bytes > file.size ? new LineDigests() : before;
      const from = known.lines;
      known.read(file, "waits");
      this.#known.set(path, known);
      if (known.lines === from) return undefined;
      const seal = known.seal(path, from);
      known.forget();
      return seal;
    } finally {
      file.close();
    }
  }
}
