/** The lines of costs/<day>.jsonl. The daemon alone writes them. */
export type LedgerLine =
  /** The first of every file: what earlier ones come to, so that no other has to be read. */
  | { type: "opened"; at: string; carried: Carried }
  | ({ type: "reserved" } & Reservation)
  | ({ type: "settled" } & Charge)
  /** The person was told; not again for the same mark. */
  | { type: "warned"; at: string; mark: string }
  | ({ type: "paused"; at: string } & KeptPause)
  | { type: "resumed"; at: string; provider: string };

/** An upper estimate of one call, held from before it is sent until what it cost is known. */
export interface Reservation {
  id: string;
  at: string;
  projectId: string;
  runId?: string | undefined;
  /** The run that all of its tree come from. */
  treeId?: string | undefined;
  model: string;
  /** null: the price is not known. */
  usd: number | null;
  input: number;
  output: number;
}

export interface Charge extends Spent {
  id: string;
  at: string;
  /** `broken`: it ended without an answer, and this is a guess. `lost`: the daemon died meanwhile, and it counts as estimated. */
  how: "answered" | "broken" | "lost";
  /** Whose call it was, for when the line of its reservation is damaged. */
  of?: Pick<Reservation, "at" | "projectId" | "runId" | "treeId" | "model">;
}

export interface Spent {
  usd: number | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Sum {
  usd: number;
  tokens: number;
  /** What calls of unknown price come to at an assumed one, in US dollars; not part of `usd`. */
  assumed: number;
}

/** A provider whose quota is used up, so that a restart does not have everybody ask it again. */
export interface KeptPause {
  provider: string;
  until: string;
  reason: string;
  tries: number;
}

/** What one run used, as runs tell it. */
export interface RunSum {
  usd: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  unpriced: number;
}

/** What calls that belong to no run cost in a period, a day or a month. */
export interface TalkSum extends RunSum {
  period: string;
  projectId: string;
  model: string;
  calls: number;
}

export interface Carried {
  total: Sum;
  /** Nothing, unless the day's first file was taken away. */
  day: { id: string; sum: Sum; projects: Record<string, Sum> };
  projects: Record<string, Sum>;
  /** Of trees that were not over. */
  trees: Record<string, Sum>;
  runs: Record<string, RunSum & { treeId: string }>;
  /** Absent in files of before there were conversations. */
  talks?: TalkSum[] | undefined;
  open: Reservation[];
  warned: string[];
  paused: KeptPause[];
}

const KNOWN = new Set(["opened", "reserved", "settled", "warned", "paused", "resumed"]);

/** undefined for a line that is broken, or that a newer version wrote. */
export function parseLedgerLine(text: string): LedgerLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<LedgerLine> | null;
    if (typeof line !== "object" || line === null || typeof line.at !== "string") return undefined;
    switch (line.type) {
      case "opened":
        return typeof line.carried?.total?.usd === "number" ? (line as LedgerLine) : undefined;
      case "reserved":
      case "settled":
        return isAmount(line) ? (line as LedgerLine) : undefined;
      case "warned":
        return typeof line.mark === "string" ? (line as LedgerLine) : undefined;
      case "paused":
        return typeof line.provider === "string" && !Number.isNaN(Date.parse(line.until ?? ""))
          ? (line as LedgerLine)
          : undefined;
      case "resumed":
        return typeof line.provider === "string" ? (line as LedgerLine) : undefined;
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}

/** Whether a line says nothing at all, rather than something that only a newer version knows. */
export function isDamaged(text: string): boolean {
  try {
    const { type } = JSON.parse(text) as { type?: unknown };
    return typeof type !== "string" || (KNOWN.has(type) && parseLedgerLine(text) === undefined);
  } catch {
    return text.trim() !== "";
  }
}

function isAmount({ id, usd, input, output }: Partial<Reservation>): boolean {
  return (
    typeof id === "string" &&
    (usd === null || typeof usd === "number") &&
    typeof input === "number" &&
    typeof output === "number"
  );
}
