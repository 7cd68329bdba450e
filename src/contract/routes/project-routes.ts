import { z } from "zod";
import {
  BriefEdit,
  FileEntry,
  Project,
  ProjectCreate,
  ProjectStatus,
  ProjectSummary,
  ProjectTemplate,
  ProjectUpdate,
  TaskCount,
} from "../documents/project.ts";
import { WorkdirConfirm, WorkdirView } from "../documents/workdir.ts";
import { line } from "../words/text.ts";
import { OpenWork } from "./hall-routes.ts";
import { byId, flag, page, paged, success } from "./route-parts.ts";

export const ProjectView = Project.extend({
  taskCount: TaskCount,
  etag: z.string(),
  /** Whether results wait for a person before they are merged. */
  requiresReview: z.boolean(),
  /** Of a project that the hall suspended by itself, as long as it is suspended. */
  suspendedWhy: z.string().optional(),
});
export type ProjectView = z.infer<typeof ProjectView>;

const ProjectDetail = ProjectView.extend({ files: z.array(FileEntry), filesOmitted: z.int() });

/** What a person should know of the folder that was named; absent when there is nothing. */
const warnings = z.array(z.string()).optional();

export const projectRoutes = {
  listProjects: {
    summary: "All projects, with task counts and team size.",
    group: "Projects",
    query: z.strictObject({ ...page, status: ProjectStatus.optional(), q: line(200).optional() }),
    response: z.strictObject({ projects: z.array(ProjectSummary), ...paged }),
  },
  listProjectTemplates: {
    summary: "Built-in project templates.",
    group: "Projects",
    response: z.strictObject({ templates: z.array(ProjectTemplate) }),
  },
  createProject: {
    summary: "Create a project, from scratch or from a template.",
    group: "Projects",
    body: ProjectCreate,
    response: z.strictObject({ ...success, project: ProjectView, warnings }),
    status: 201,
  },
  getProject: {
    summary: "One project with its files.",
    group: "Projects",
    params: byId,
    response: z.strictObject({ project: ProjectDetail }),
  },
  updateProject: {
    summary: "Change a project.",
    group: "Projects",
    params: byId,
    body: ProjectUpdate,
    document: ProjectDetail,
    response: z.strictObject({ ...success, project: ProjectView, warnings }),
  },
  describeProject: {
    summary: "Replace one section of PROJECT.md, which the project's agents read. The event has the diff.",
    group: "Projects",
    params: byId,
    body: BriefEdit,
    response: z.strictObject({ ...success, project: ProjectView }),
  },
  deleteProject: {
    summary: "Archive a project; with purge=true move its folder to the trash.",
    group: "Projects",
    params: byId,
    query: z.strictObject({ purge: flag.default(false) }),
    response: z.strictObject({ ...success, trash: z.string().optional() }),
  },
  moveProject: {
    summary:
      "Suspend, resume, complete, reopen or archive a project. The response lists what is open when its work ends.",
    group: "Projects",
    params: byId,
    body: z.strictObject({ status: ProjectStatus }),
    response: z.strictObject({ ...success, project: ProjectView, open: z.array(OpenWork).optional() }),
  },
  getWorkdir: {
    summary: "A project's working folder, as recorded and as it is now.",
    group: "Projects",
    params: byId,
    response: WorkdirView,
  },
  confirmWorkdir: {
    summary: "Confirm the current working folder, given by the `fingerprint` that was shown.",
    group: "Projects",
    params: byId,
    body: WorkdirConfirm,
    response: z.strictObject({ ...success, folder: WorkdirView }),
  },
} as const;
