import type { Files } from "../../store/files/files.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import { GrowingSeal, type LineSeal } from "../../workspace/events/line-seal.ts";

const COSTS_FOLDER = "costs";
const DAY_FILE = /^\d{4}-\d\d-\d\d\.jsonl$/;
/** The day that is written in, and the one before, whose last lines may have come after its last seal. */
const DAYS = 2;

/** Seals the ledger with the end of each run: what it has had since the last seal. Only lines that are on the disk are told of. */
export class CostsSeal {
  readonly #files: Files;
  /** `look`: the latest that sealed something of the file. */
  readonly #known = new Map<string, { seal: GrowingSeal; look: number }>();
  readonly #days = new KeptReading<string[]>(1);
  #looks = 0;
  #returned: LineSeal[] = [];

  constructor(files: Files) {
    this.#files = files;
  }

  /** Files with something new. */
  async take(): Promise<LineSeal[]> {
    const paths = this.#paths();
    for (const path of this.#known.keys()) if (!paths.includes(path)) this.#known.delete(path);
    const seals = await Promise.allSettled(paths.map((path) => this.#seal(path)));
    // A run ends whether or not its costs can be read; what is not told of now is told of with the next one.
    const fresh = seals.flatMap((seal) =>
      seal.status === "fulfilled" && seal.value !== undefined ? [seal.value] : [],
    );
    return [...this.#returned.splice(0), ...fresh];
  }

  /** They were not recorded: the next one tells of them. */
  giveBack(seals: readonly LineSeal[]): void {
    this.#returned.push(...seals);
  }

  #paths(): string[] {
    const days = () => this.#files.names(COSTS_FOLDER).filter((name) => DAY_FILE.test(name));
    const names = this.#days.of(`${this.#files.root}/${COSTS_FOLDER}`, days, []);
    return names.slice(-DAYS).map((name) => `${COSTS_FOLDER}/${name}`);
  }

  async #seal(path: string): Promise<LineSeal | undefined> {
    const look = ++this.#looks;
    const file = this.#files.openContained(path, ".");
    try {
      await file.sync();
      const before = this.#known.get(path);
      // Several runs end at once: what this look would tell of, a later one has told of.
      if (before !== undefined && before.look > look) return undefined;
      const seal = before === undefined || before.seal.bytes > file.size ? new GrowingSeal() : before.seal;
      this.#known.set(path, { seal, look });
      return seal.next(path, file);
    } finally {
      file.close();
    }
  }
}
