import { homedir } from "node:os";
import type { BegunProject, ProjectBeginning, Welcome } from "../contract/routes/welcome-routes.ts";
import { type Keys, type ModelsFound, proposedModels } from "../models/providers.ts";
import { programsOn } from "../store/files/listing/folder-glance.ts";
import type { Change } from "../workspace/change.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { SECRETS_FILE } from "../workspace/layout.ts";
import {
  beginProject,
  folderToBegin,
  knownProjects,
  PROPOSED_ROLES,
  type Surroundings,
} from "../workspace/projects/project-beginning.ts";

/** Programs of agents that people have; they are told of, not started. */
const AGENT_CLIS = ["claude", "codex", "gemini", "opencode", "ollama"];

export interface WelcomeLook extends Surroundings {
  /** Where the person stands. */
  folder: string;
  /** Where programs are looked for. */
  programPath: string;
  models: ModelsFound;
}

export interface WelcomeOptions {
  hall: Hall;
  /** The workspace. */
  root: string;
  program: string;
  folder: string;
  keys: Keys;
  models: () => Promise<ModelsFound>;
}

/** What the daemon has for a person who begins. */
export function openWelcome({ hall, keys, models, ...places }: WelcomeOptions) {
  const home = homedir();
  return {
    look: async (): Promise<Welcome> => {
      const found = await models();
      const programPath = keys.PATH ?? "";
      return lookAround({ ...places, home, programPath, projects: knownProjects(hall), models: found });
    },
    begin: (body: ProjectBeginning, change: Change): Promise<BegunProject> =>
      beginProject(hall, body, { change, home }),
  };
}

/** What a person who begins has at hand. Changes nothing. */
export function lookAround({ folder, programPath, models, ...around }: WelcomeLook): Welcome {
  const found = folderToBegin(folder, around);
  return {
    ...(found === undefined ? {} : { folder: found }),
    providers: models.providers.map(({ name, source, key, keyNames }) => ({
      name,
      source,
      key,
      ...(keyNames === undefined ? {} : { keyNames }),
    })),
    clis: programsOn(programPath, AGENT_CLIS),
    defaultModel: models.default,
    secretsFile: `${around.root}/${SECRETS_FILE}`,
    isOffline: models.default === models.offline,
    models: proposedModels(models),
    roleTemplates: [...PROPOSED_ROLES],
    projects: around.projects.length,
  };
}
