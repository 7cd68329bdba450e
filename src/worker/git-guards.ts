import { z } from "zod";
import { COMMAND_NOTE, GitGuard, noteAt, type SharedCensus } from "../agent/git-guard.ts";
import { GIT_QUESTIONS } from "../contract/runs/hall-questions.ts";
import type { Files } from "../store/files/files.ts";
import type { Swept } from "../store/git/git-sweep.ts";
import type { HallProxy } from "./hall-proxy.ts";

const Began = z.strictObject({
  after: z.int(),
  limits: z.array(z.strictObject({ below: z.string(), known: z.array(z.string()) })),
});

interface Parts {
  notes: Files;
  hall: Pick<HallProxy, "ask">;
}

/** In a project's process, one for each folder: its runs share it. */
export function gitGuards({ notes, hall }: Parts) {
  const guards = new Map<string, GitGuard>();
  const parts = { notes, shared: sharedCensus(hall), onSetAside: tellSetAside(hall) };
  return (folder: string): GitGuard => {
    const guard = guards.get(folder) ?? new GitGuard({ ...parts, folder });
    guards.set(folder, guard);
    return guard;
  };
}

/** For a process that starts: sweeps every folder in which a command ended with an earlier process. */
export function recoverGuards(notes: Files, guardOf: (folder: string) => GitGuard): void {
  for (const name of notes.names("runs")) {
    const note = COMMAND_NOTE.test(name) ? noteAt(notes, `runs/${name}`) : undefined;
    if (note !== undefined) guardOf(note.folder).recover();
  }
}

function sharedCensus(hall: Pick<HallProxy, "ask">): SharedCensus {
  const ask = async (what: string, input: object): Promise<unknown> => {
    const reply = await hall.ask({ what, input }, new AbortController().signal);
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  };
  return {
    begin: async (folder) => Began.parse(await ask(GIT_QUESTIONS.begin, { folder })),
    end: async (folder, after) => z.boolean().parse(await ask(GIT_QUESTIONS.end, { folder, after })),
  };
}

/** The log is the daemon's. */
function tellSetAside(hall: Pick<HallProxy, "ask">) {
  return ({ found, isWhole }: Swept, folder: string): void =>
    void hall.ask({ what: GIT_QUESTIONS.setAside, input: { folder, found, isWhole } }, new AbortController().signal);
}
