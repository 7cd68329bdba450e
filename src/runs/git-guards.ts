import { z } from "zod";
import { COMMAND_NOTE, GitGuard, noteAt, type SharedCensus } from "../agent/git-guard.ts";
import type { Files } from "../store/files.ts";
import type { Swept } from "../store/git-sweep.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import { CommandFolders } from "./command-folders.ts";
import type { HallProxy } from "./hall-proxy.ts";
import { checkedInput, type HallQuestions } from "./hall-questions.ts";

const SET_ASIDE = "git_set_aside";
const BEGIN = "git_census_begin";
const END = "git_census_end";
const path = z.string().max(8_000);
const Told = z.strictObject({
  folder: path,
  found: z.array(z.strictObject({ path, to: path.optional() })).max(100),
  isWhole: z.boolean(),
});
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
    begin: async (folder) => Began.parse(await ask(BEGIN, { folder })),
    end: async (folder, after) => z.boolean().parse(await ask(END, { folder, after })),
  };
}

/** The log is the daemon's. */
function tellSetAside(hall: Pick<HallProxy, "ask">) {
  return ({ found, isWhole }: Swept, folder: string): void =>
    void hall.ask({ what: SET_ASIDE, input: { folder, found, isWhole } }, new AbortController().signal);
}

/** In the daemon. */
export function gitGuardQuestions(core: Core): HallQuestions {
  const folders = new CommandFolders(core);
  return {
    [SET_ASIDE]: {
      action: "tell",
      answer: async (input, { projectId }) => {
        const { folder, found, isWhole } = checkedInput(Told, input);
        const after = { folder, paths: found.map(({ path }) => path), to: found.map(({ to = null }) => to), isWhole };
        const subject = { kind: "project" as const, id: projectId };
        await commit(
          core,
          { type: "workdir.git_set_aside", actor: BY_DAEMON, projectId, subject, after },
          () => undefined,
        );
      },
    },
    [BEGIN]: {
      action: "tell",
      answer: async (input, { projectId }) =>
        folders.begin(projectId, checkedInput(z.strictObject({ folder: path }), input).folder),
    },
    [END]: {
      action: "tell",
      answer: async (input, { projectId }) => {
        const { folder, after } = checkedInput(z.strictObject({ folder: path, after: z.int() }), input);
        return folders.end(projectId, folder, after);
      },
    },
  };
}
