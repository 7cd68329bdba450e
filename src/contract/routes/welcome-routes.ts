import { z } from "zod";
import { AbsolutePath, TechStack } from "../documents/project.ts";
import { line, Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

/** A folder that looks like the code of a project and belongs to none yet. */
const WelcomeFolder = z.strictObject({
  path: z.string(),
  name: z.string(),
  isGit: z.boolean(),
  /** An id that is free; the project gets it unless another is named. */
  suggestedId: z.string(),
  /** A guess from the names of its files. */
  techStack: TechStack,
});
export type WelcomeFolder = z.infer<typeof WelcomeFolder>;

/** What a person who begins has at hand. */
export const Welcome = z.strictObject({
  /** The folder in which the daemon was started, or the repository around it. */
  folder: WelcomeFolder.optional(),
  /** Absent of a provider that was not found. Keys are never shown. */
  providers: z.array(
    z.strictObject({
      name: z.string(),
      /** Where it was found: config, environment or local. */
      source: z.string(),
      key: z.boolean(),
      keyNames: z.array(z.string()).optional(),
    }),
  ),
  /** Programs of agents that are on the PATH. */
  clis: z.array(z.strictObject({ name: z.string(), path: z.string() })),
  defaultModel: z.string(),
  /** Where keys may be put, as lines NAME=value. */
  secretsFile: z.string(),
  /** Nothing was found that could be asked: the offline model plays. */
  isOffline: z.boolean(),
  /** Models to choose from, the default first. */
  models: z.array(z.string()),
  /** The templates of the roles that a first project gets unless others are named. */
  roleTemplates: z.array(z.string()),
  projects: z.int(),
});
export type Welcome = z.infer<typeof Welcome>;

export const ProjectBeginning = z.strictObject({
  path: AbsolutePath,
  id: Slug.optional(),
  name: line(120).optional(),
  /** Roles of the hall, or templates of which roles are made; those that are proposed unless named. */
  roles: z.array(Slug).max(20).optional(),
});
export type ProjectBeginning = z.infer<typeof ProjectBeginning>;

export const BegunProject = z.strictObject({
  projectId: z.string(),
  name: z.string(),
  workdir: z.string(),
  /** The roles that are assigned to it. */
  roles: z.array(z.string()),
});
export type BegunProject = z.infer<typeof BegunProject>;

export const welcomeRoutes = {
  getWelcome: {
    summary: "Setup information for a new user: suggested folder, models, installed agent programs.",
    group: "Hall",
    response: Welcome,
  },
  beginProject: {
    summary: "Create a project from a folder, with roles from templates.",
    group: "Hall",
    body: ProjectBeginning,
    response: z.strictObject({ ...success, ...BegunProject.shape }),
    status: 201,
  },
} as const;
