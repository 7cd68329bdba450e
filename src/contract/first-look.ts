import type { Welcome } from "./routes/welcome-routes.ts";

/** What is there before a hall is set up, or set up further. */
export interface FirstLook extends Welcome {
  /** Where the workspace is or will be. */
  workspace: string;
  isNew: boolean;
  /** What models may cost in a day, as config.yml has it; null is no limit. */
  dayUsd: number | null;
  /** All templates of roles. */
  templates: string[];
  /** What config.yml says otherwise than it is by default. */
  chosen: { model: boolean; budget: boolean };
}

/** What is written into config.yml. */
export interface FirstSettings {
  defaultModel?: string | undefined;
  /** null is no limit. */
  dayUsd?: number | null | undefined;
}
