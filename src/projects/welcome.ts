import type { Welcome } from "../contract/welcome-routes.ts";
import { type ModelsFound, proposedModels } from "../models/providers.ts";
import { programsOn } from "../store/folder-glance.ts";
import { folderToBegin, PROPOSED_ROLES, type Surroundings } from "../workspace/project-beginning.ts";

/** Programs of agents that people have; they are told of, not started. */
const AGENT_CLIS = ["claude", "codex", "gemini", "opencode", "ollama"];

export interface WelcomeLook extends Surroundings {
  /** Where the person stands. */
  folder: string;
  /** Where programs are looked for. */
  programPath: string;
  models: ModelsFound;
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
    isOffline: models.default === models.offline,
    models: proposedModels(models),
    roleTemplates: [...PROPOSED_ROLES],
    projects: around.projects.length,
  };
}
