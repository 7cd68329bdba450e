import { z } from "zod";
import { ProjectQualityGates } from "./quality-gates.ts";

/** In the root of a repository, or of a project's folder in it. */
export const REPOSITORY_SETTINGS = ".guildhall.yml";

/** How changes of a repository are checked. Whether gates apply, and who reviews, is for the person to set. */
export const RepositoryGates = ProjectQualityGates.pick({
  baselineAwareTests: true,
  commands: true,
  enforceTDD: true,
  knownFailingTests: true,
  passThreshold: true,
  proof: true,
  rolloutSafety: true,
  spec: true,
  testScope: true,
  timeoutSeconds: true,
});
export type RepositoryGates = z.infer<typeof RepositoryGates>;

export const RepositorySettings = z.strictObject({ qualityGates: RepositoryGates.optional() });
