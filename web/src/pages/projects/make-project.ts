import type { RouteBodyInput } from "../../../../src/contract/routes/routes.ts";
import { call } from "../../api/client.ts";
import { capital } from "../../ui/text/capital.ts";
import type { Candidate } from "./team-picker.tsx";

/** One thing that is done to make a project, and how it stands. */
export interface Step {
  what: string;
  state: "waiting" | "doing" | "done" | "failed";
}

interface Making {
  project: RouteBodyInput<"createProject">;
  /** What gives the project its folder, where that has to come from elsewhere first. */
  clone?: CloneWork | undefined;
  team: readonly Candidate[];
  /** The same for the same form: asking again after a failure makes nothing twice. */
  key: string;
}

interface CloneWork {
  what: string;
  /** Tells how far it is; answers the folder. */
  run: (onProgress: (text: string) => void) => Promise<string>;
}

/** Clones the code if need be, makes the project, then the roles that are missing, then the team. Rejects at the first that fails. */
export async function makeProject(
  { project, clone, team, key }: Making,
  onStep: (steps: Step[]) => void,
): Promise<string> {
  let id = "";
  let folder: { workdir?: string } = {};
  const works: { what: string; work: (onProgress: (text: string) => void) => Promise<void> }[] = [
    ...(clone === undefined
      ? []
      : [
          {
            what: clone.what,
            work: async (onProgress: (text: string) => void) => {
              folder = { workdir: await clone.run(onProgress) };
            },
          },
        ]),
    {
      what: `Create project ${project.name}`,
      work: async () => {
        const body = { ...project, ...folder };
        const made = await call("createProject", { body, idempotencyKey: `${key}-project` });
        id = made.project.id;
      },
    },
    ...team.map((member) => ({
      what: member.isTemplate ? `Create role ${member.name} and add it to the team` : `Add ${member.name} to the team`,
      work: () => assign(member, id, key),
    })),
  ];
  const steps: Step[] = works.map(({ what }) => ({ what, state: "waiting" }));
  const tell = (at: number, state: Step["state"], progress = "") => {
    steps[at] = { what: `${works[at]?.what ?? ""}${progress}`, state };
    onStep([...steps]);
  };
  for (const [at, { work }] of works.entries()) {
    tell(at, "doing");
    try {
      await work((text) => tell(at, "doing", `: ${text}`));
    } catch (error) {
      tell(at, "failed");
      throw error;
    }
    tell(at, "done");
  }
  return id;
}

async function assign({ id: roleId, isTemplate }: Candidate, id: string, key: string): Promise<void> {
  if (isTemplate) await call("createRole", { body: { template: roleId }, idempotencyKey: `${key}-role-${roleId}` });
  await call("createAssignment", { params: { id }, body: { roleId }, idempotencyKey: `${key}-team-${roleId}` });
}

/** A name for the project in a folder: `/srv/my-shop` gives `My shop`. */
export function nameOfFolder(path: string): string {
  const base =
    path
      .replace(/[\\/]+$/, "")
      .split(/[\\/]/)
      .at(-1) ?? "";
  const words = base.replace(/[-_.]+/g, " ").trim();
  return capital(words);
}
