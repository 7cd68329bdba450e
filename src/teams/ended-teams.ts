import { z } from "zod";
import type { TeamStatus } from "../contract/words/teams/team-words.ts";
import type { Files } from "../store/files/files.ts";
import { isNewer } from "../store/logs/durable-line.ts";
import type { Held } from "./held-team.ts";
import { AFTER_END } from "./machine/apply.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import { teamPaths } from "./team-files.ts";

/** A team that has ended and left nothing to do. All else is read when someone asks for it. */
export interface EndedTeam {
  id: string;
  projectId: string;
  status: TeamStatus;
}

/** Kept for whoever asks again soon: so many teams, with so many lines in all. */
const MOST_RECENT = 100;
const MOST_LINES = 100_000;
/** Bytes at the end of a log that have its last lines. */
const TAIL = 16_384;

export class EndedTeams {
  readonly #read: (team: EndedTeam) => Held | undefined;
  readonly #known = new Map<string, EndedTeam>();
  /** The newest last. */
  readonly #recent = new Map<string, Held>();
  #lines = 0;

  /** `read`: the whole of a team, from its files; undefined where they can't be read. */
  constructor(read: (team: EndedTeam) => Held | undefined) {
    this.#read = read;
  }

  all(): EndedTeam[] {
    return [...this.#known.values()];
  }

  add(team: EndedTeam, held?: Held): void {
    this.#known.set(team.id, team);
    if (held !== undefined) this.#keep(team.id, held);
  }

  find(id: string): Held | undefined {
    const recent = this.#recent.get(id);
    const team = this.#known.get(id);
    if (recent !== undefined || team === undefined) return recent;
    const held = this.#read(team);
    if (held === undefined) this.#known.delete(id);
    else this.#keep(id, held);
    return held;
  }

  delete(id: string): void {
    this.#known.delete(id);
    this.#drop(id);
  }

  #keep(id: string, held: Held): void {
    this.#recent.set(id, held);
    this.#lines += held.state.seq;
    while (this.#recent.size > 1 && (this.#recent.size > MOST_RECENT || this.#lines > MOST_LINES)) {
      const [oldest = ""] = this.#recent.keys();
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#lines -= this.#recent.get(id)?.state.seq ?? 0;
    this.#recent.delete(id);
  }
}

const ENDS: Partial<Record<TeamFact["type"], TeamStatus>> = {
  delivered: "completed",
  failed: "failed",
  stopped: "stopped",
};
const AFTER: readonly string[] = AFTER_END;
const NEWER = "newer";
const LastLine = z.looseObject({ fact: z.looseObject({ type: z.string() }), format: z.unknown() });

/** How a team has ended, by the end of its log; undefined where it has not, or where something may be left to do for it. */
export function endIn(
  files: Pick<Files, "exists" | "stamp" | "scanLog">,
  named: { projectId: string; id: string },
): TeamStatus | undefined {
  const { state, report } = teamPaths(named);
  // The report is the last that is done for a team.
  const size = files.exists(report) ? files.stamp(state)?.size : undefined;
  if (size === undefined) return undefined;
  let last: string | undefined;
  files.scanLog(state, Math.max(0, size - TAIL), (text) => {
    const type = typeIn(text);
    if (type === undefined || !AFTER.includes(type)) last = type;
    return true;
  });
  return ENDS[last as TeamFact["type"]];
}

/** Undefined of a line that is cut off. One that a newer program wrote is no end: the whole log is read, and refused. */
function typeIn(text: string): string | undefined {
  try {
    const { fact, format } = LastLine.parse(JSON.parse(text));
    return isNewer(format) ? NEWER : fact.type;
  } catch {
    return undefined;
  }
}
