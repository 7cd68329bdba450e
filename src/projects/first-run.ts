import { Budget } from "../contract/documents/budget.ts";
import type { Config } from "../contract/documents/config.ts";
import type { FirstLook } from "../contract/first-look.ts";
import type { BegunProject, ProjectBeginning } from "../contract/routes/welcome-routes.ts";
import { discoverModels } from "../models/model-discovery.ts";
import type { Keys } from "../models/providers.ts";
import type { Files } from "../store/files/files.ts";
import { WorkspaceLock } from "../store/host/workspace-lock.ts";
import { type HallOptions, openHall } from "../workspace/hall/open-hall.ts";
import { PROJECTS_FOLDER, ROLES_FILE, STATE_FOLDER } from "../workspace/layout.ts";
import { beginProject, projectsAtRest } from "../workspace/projects/project-beginning.ts";
import { ROLE_TEMPLATES } from "../workspace/roles/role-templates.ts";
import { lookAround } from "./welcome.ts";

export interface FirstLookOptions {
  /** Where the workspace is or will be. */
  workspace: string;
  /** Undefined as long as there is no such folder. */
  files: Files | undefined;
  config: Config;
  keys: Keys;
  clock: () => Date;
  program: string;
  folder: string;
  home: string;
}

/** What is there before a hall is set up, or set up further. Changes nothing, and needs no daemon. */
export async function lookFirst(options: FirstLookOptions): Promise<FirstLook> {
  const { workspace, files, config, keys, clock, ...places } = options;
  const models = await discoverModels({ config, keys, clock }).report();
  const projects = files === undefined ? [] : projectsAtRest(files);
  const { dayUsd } = config.budget;
  return {
    ...lookAround({ ...places, root: workspace, projects, programPath: keys.PATH ?? "", models }),
    workspace,
    isNew: files === undefined || !(files.exists(ROLES_FILE) || files.exists(PROJECTS_FOLDER)),
    dayUsd,
    templates: ROLE_TEMPLATES.map(({ id }) => id),
    chosen: { model: config.models.default !== undefined, budget: dayUsd !== Budget.parse({}).dayUsd },
  };
}

/** Makes a project in a workspace whose daemon is down. Refused with workspace_busy where it is up. */
export async function beginAtRest(
  { files, home, ...options }: Omit<HallOptions, "workspace"> & { files: Files; home: string },
  body: ProjectBeginning,
): Promise<BegunProject> {
  const { clock, version } = options;
  const holder = { pid: process.pid, startedAt: clock().toISOString(), version };
  const lock = WorkspaceLock.take(`${files.root}/${STATE_FOLDER}`, holder);
  try {
    const open = await openHall({ ...options, workspace: files.root });
    const change = { actor: { kind: "person", via: "cli" } } as const;
    return await beginProject(open.hall, body, { change, home }).finally(() => open.close());
  } finally {
    lock.release();
  }
}
