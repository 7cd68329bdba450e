import { z } from "zod";
import { GitGuard } from "../agent/git-guard.ts";
import type { Swept } from "../store/git-sweep.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import type { HallProxy } from "./hall-proxy.ts";
import { checkedInput, type HallQuestions } from "./hall-questions.ts";

const QUESTION = "git_set_aside";
const Told = z.strictObject({
  found: z.array(z.strictObject({ path: z.string().max(8_000), to: z.string().max(8_000).optional() })).max(100),
  isWhole: z.boolean(),
});

/** One for each folder of a project's process: its runs share it. */
export function gitGuards(parts: Pick<ConstructorParameters<typeof GitGuard>[0], "notes" | "onSetAside">) {
  const guards = new Map<string, GitGuard>();
  return (folder: string): GitGuard => {
    const guard = guards.get(folder) ?? new GitGuard({ ...parts, folder });
    guards.set(folder, guard);
    return guard;
  };
}

/** In a project's process: the log is the daemon's. */
export function tellSetAside(hall: Pick<HallProxy, "ask">, { found, isWhole }: Swept): void {
  void hall.ask({ what: QUESTION, input: { found, isWhole } }, new AbortController().signal);
}

/** In the daemon. */
export function gitGuardQuestions(core: Core): HallQuestions {
  return {
    [QUESTION]: {
      action: "tell",
      answer: async (input, { projectId }) => {
        const { found, isWhole } = checkedInput(Told, input);
        const after = { paths: found.map(({ path }) => path), to: found.map(({ to = null }) => to), isWhole };
        const subject = { kind: "project" as const, id: projectId };
        await commit(
          core,
          { type: "workdir.git_set_aside", actor: BY_DAEMON, projectId, subject, after },
          () => undefined,
        );
      },
    },
  };
}
