import type { Config } from "../../contract/documents/config.ts";
import { KeyDesk } from "../../models/keys/key-desk.ts";
import { openModels } from "../../models/open-models.ts";
import type { KeyRing } from "../../store/secrets/key-ring.ts";
import type { OwnSecrets } from "../../store/secrets/own-secrets.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { HallPart } from "../../workspace/hall/hall-part.ts";
import { openBudget } from "../admin/open-budget.ts";
import { BookLoading } from "./book-loading.ts";
import { LiveRuns } from "./live-runs.ts";
import { recordMissedEvents } from "./missed-events.ts";
import { RunBook } from "./run-book.ts";
import { TranscriptReading } from "./transcript-reading.ts";

interface Options {
  core: Core;
  hall: Hall;
  config: Config;
  ring: KeyRing;
  own: OwnSecrets;
  onTrouble: (what: string, error: unknown) => void;
}

export type OpenRecord = Awaited<ReturnType<typeof openRecord>>;

/** What is known of runs and what they cost, and the gate to models, which asks what a run may still cost. */
export async function openRecord({ core, hall, config, ring, own, onTrouble }: Options) {
  const live = new LiveRuns();
  const { book, books, reading, decided } = await openBook({ core, hall, onTrouble });
  // The trees of runs that the ledger asks for stand in the book.
  const { ledger, budget, pausing, ...money } = await openBudget({ core, config, live, onTrouble });
  const { files, clock } = core;
  const roleOf = (runId: string) => roleIn(core, runId);
  const { settings } = money;
  const look = () => {
    settings.look();
    return ring.look();
  };
  const { keys } = ring;
  const isInEnvironment = (variable: string) => ring.isInEnvironment(variable);
  const redact = (text: string) => own.redactor().text(text);
  const models = openModels({ config, keys, look, isInEnvironment, files, clock, budget, pausing, roleOf, redact });
  const providers = new KeyDesk({ settings, ring, own, models, now: () => clock().getTime() });
  const part: HallPart = {
    problems: () => [...money.problems(), ...books.problems()],
    refill: () => {
      book.refill();
      reading.wake();
    },
  };
  return { live, book, books, reading, decided, ledger, budget, money, models, providers, part };
}

/** Brings the index up to what the books hold, and the log to what a crash kept from it. */
async function openBook({ core, hall, onTrouble }: Pick<Options, "core" | "hall" | "onTrouble">) {
  const book = new RunBook(core);
  const reading = new TranscriptReading({ passages: core.passages, book, onTrouble });
  const books = new BookLoading({ core, book });
  const loaded = await books.loadAll();
  const decided = await recordMissedEvents({ core, hall, book }, loaded);
  for (const { seen } of loaded) seen();
  reading.wake();
  return { book, books, reading, decided };
}

/** By its id alone, where the role is gone. */
function roleIn(
  { runs, roles }: Pick<Core, "runs" | "roles">,
  runId: string,
): { id: string; name: string } | undefined {
  const id = runs.get(runId)?.run.roleId;
  return id === undefined ? undefined : { id, name: roles.get(id)?.name ?? id };
}
