import type { z } from "zod";
import { liveRoutes } from "../runs/live.ts";
import { briefingRoutes } from "./autonomy/briefing-routes.ts";
import { importRoutes } from "./autonomy/import-routes.ts";
import { initiativeRoutes } from "./autonomy/initiative-routes.ts";
import { orchestratorRoutes } from "./autonomy/orchestrator-routes.ts";
import { triggerRoutes } from "./autonomy/trigger-routes.ts";
import { browserRoutes } from "./browser-routes.ts";
import { cardRoutes } from "./card-routes.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import { costRoutes } from "./cost-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import type { EndpointName } from "./endpoints.ts";
import { eventRoutes } from "./event-routes.ts";
import { folderRoutes } from "./folder-routes.ts";
import { hallRoutes } from "./hall-routes.ts";
import { instructionRoutes } from "./instruction-routes.ts";
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { memoryRoutes } from "./memory-routes.ts";
import { modelRoutes } from "./model-routes.ts";
import { nowRoutes } from "./now-routes.ts";
import { answerRuleRoutes } from "./people/answer-rule-routes.ts";
import { escalationRoutes } from "./people/escalation-routes.ts";
import { grantRoutes } from "./people/grant-routes.ts";
import { hookRoutes } from "./people/hook-routes.ts";
import { projectRoutes } from "./project-routes.ts";
import { gateRoutes } from "./quality/gate-routes.ts";
import { roleFileRoutes } from "./role-file-routes.ts";
import { rolePreviewRoutes } from "./role-preview-routes.ts";
import { roleRoutes } from "./role-routes.ts";
import type { Route } from "./route.ts";
import { runRoutes } from "./run-routes.ts";
import { searchRoutes } from "./search-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { skillRoutes } from "./skill-routes.ts";
import { talkRoutes } from "./talk-routes.ts";
import { taskRoutes } from "./task-routes.ts";
import { teamRoutes } from "./team-routes.ts";
import { goalRoutes } from "./teams/goal-routes.ts";
import { lessonRoutes } from "./teams/lesson-routes.ts";
import { welcomeRoutes } from "./welcome-routes.ts";

export const routes = {
  ...hallRoutes,
  ...nowRoutes,
  ...briefingRoutes,
  ...orchestratorRoutes,
  ...settingsRoutes,
  ...browserRoutes,
  ...welcomeRoutes,
  ...runRoutes,
  ...checkpointRoutes,
  ...taskRoutes,
  ...cardRoutes,
  ...searchRoutes,
  ...eventRoutes,
  ...liveRoutes,
  ...roleRoutes,
  ...roleFileRoutes,
  ...rolePreviewRoutes,
  ...projectRoutes,
  ...folderRoutes,
  ...teamRoutes,
  ...initiativeRoutes,
  ...documentRoutes,
  ...knowledgeRoutes,
  ...memoryRoutes,
  ...costRoutes,
  ...modelRoutes,
  ...talkRoutes,
  ...skillRoutes,
  ...importRoutes,
  ...instructionRoutes,
  ...escalationRoutes,
  ...answerRuleRoutes,
  ...hookRoutes,
  ...grantRoutes,
  ...gateRoutes,
  ...goalRoutes,
  ...triggerRoutes,
  ...lessonRoutes,
} as const satisfies Record<EndpointName, Route>;

type Part<Name extends EndpointName, Key extends keyof Route> = (typeof routes)[Name] extends {
  [K in Key]: infer Schema extends z.ZodType;
}
  ? Schema
  : undefined;
type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Accepted<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

export type RouteParams<Name extends EndpointName> = Parsed<Part<Name, "params">>;
export type RouteQuery<Name extends EndpointName> = Parsed<Part<Name, "query">>;
export type RouteBody<Name extends EndpointName> = Parsed<Part<Name, "body">>;
export type RouteQueryInput<Name extends EndpointName> = Accepted<Part<Name, "query">>;
export type RouteResponse<Name extends EndpointName> = Parsed<Part<Name, "response">>;
export type RouteBodyInput<Name extends EndpointName> = Accepted<Part<Name, "body">>;
