import type { ProjectStatus } from "../../contract/project.ts";
import type { Action, Context } from "../context.ts";
import { oneLine } from "../plain-text.ts";

export const projectSuspend: Action<"project suspend"> = async ({ project }, context) =>
  move(project, "suspended", context);

export const projectResume: Action<"project resume"> = async ({ project }, context) => move(project, "active", context);

export const projectComplete: Action<"project complete"> = async ({ project }, context) =>
  move(project, "completed", context);

export const projectReopen: Action<"project reopen"> = async ({ project }, context) => move(project, "active", context);

export const projectArchive: Action<"project archive"> = async ({ project }, context) =>
  move(project, "archived", context);

async function move(id: string, status: ProjectStatus, { call, output }: Context): Promise<number> {
  const answer = await call("moveProject", { params: { id }, body: { status } });
  output.answer(answer, () => `${answer.project.id} is ${answer.project.status}.`);
  return 0;
}

export const projectDelete: Action<"project delete"> = async ({ project: id, purge, yes }, context) => {
  const { call, host, output } = context;
  const deed = purge === true ? `Move the folder of ${id} to the trash` : `Archive ${id} for good`;
  if (yes !== true && host.canAsk && !agrees(await host.ask(`${deed}? [y/N] `))) {
    output.note("Nothing was changed.");
    return 0;
  }
  const answer = await call("deleteProject", { params: { id }, query: { purge } });
  output.answer(answer, () =>
    answer.trash === undefined ? `${id} is archived.` : `${id} is in the trash now: ${oneLine(answer.trash)}`,
  );
  return 0;
};

function agrees(reply: string): boolean {
  return /^y(es)?$/i.test(reply.trim());
}
