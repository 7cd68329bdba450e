import { z } from "zod";
import { documentText, readDocument } from "../../store/logs/durable-document.ts";
import type { Core } from "../../workspace/core.ts";
import { changedFile } from "../../workspace/knowledge/document-writes.ts";
import { BRIEFINGS_FILE } from "../../workspace/layout.ts";
import type { MadeDays } from "./slot.ts";

/** As many days are remembered. */
const MOST_DAYS = 60;
const DAY_MS = 86_400_000;

const Made = z.strictObject({ day: z.iso.date(), at: z.string(), summary: z.string().optional() });
type Made = z.infer<typeof Made>;
const State = z.strictObject({ made: z.array(Made) });

/** The days whose briefing was sent. Written in the change that tells of the briefing, so that the two never disagree. */
export class SentBriefings {
  readonly #core: Pick<Core, "files" | "events" | "clock">;
  #made: readonly Made[];

  constructor(core: Pick<Core, "files" | "events" | "clock">) {
    this.#core = core;
    this.#made = load(core);
  }

  days(): MadeDays {
    return this.#made.map(({ day }) => day);
  }

  summaryOf(day: string): string | undefined {
    return this.#made.find((one) => one.day === day)?.summary;
  }

  /** The write that adds a day, and what to do once it is durable. */
  adding(made: Made) {
    const { files } = this.#core;
    const next = [...this.#made.filter(({ day }) => day !== made.day), made].slice(-MOST_DAYS);
    const before = files.exists(BRIEFINGS_FILE) ? files.read(BRIEFINGS_FILE) : undefined;
    return {
      write: changedFile(BRIEFINGS_FILE, documentText({ made: next }), before),
      apply: () => {
        this.#made = next;
      },
    };
  }
}

/** Where the file is lost, the log of the last days tells what was sent. */
function load({ files, events, clock }: Pick<Core, "files" | "events" | "clock">): readonly Made[] {
  const known = readDocument(files, BRIEFINGS_FILE, State);
  if (known !== undefined) return known.made;
  const until = new Date(clock().getTime() + DAY_MS);
  const from = new Date(until.getTime() - 4 * DAY_MS);
  const told = events.during({ from, until, types: new Set(["briefing.created"]) });
  return told.map(({ subject, at }) => ({ day: subject.id, at }));
}
