import { z } from "zod";
import { GIT_QUESTIONS } from "../contract/runs/hall-questions.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import { CommandFolders } from "./command-folders.ts";
import { checkedInput, type HallQuestions } from "./hall-questions.ts";

const path = z.string().max(8_000);
const Told = z.strictObject({
  folder: path,
  found: z.array(z.strictObject({ path, to: path.optional() })).max(100),
  isWhole: z.boolean(),
});

/** What the guards of projects' processes ask: a guard sees its own project alone, and folders may be shared. */
export function gitGuardQuestions(core: Core): HallQuestions {
  const folders = new CommandFolders(core);
  return {
    [GIT_QUESTIONS.setAside]: {
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
    [GIT_QUESTIONS.begin]: {
      action: "tell",
      answer: async (input, { projectId }) =>
        folders.begin(projectId, checkedInput(z.strictObject({ folder: path }), input).folder),
    },
    [GIT_QUESTIONS.end]: {
      action: "tell",
      answer: async (input, { projectId }) => {
        const { folder, after } = checkedInput(z.strictObject({ folder: path, after: z.int() }), input);
        return folders.end(projectId, folder, after);
      },
    },
  };
}
