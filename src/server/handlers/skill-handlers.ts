import type { Instruction } from "../../contract/documents/instruction.ts";
import type { Skill, SkillSummary } from "../../contract/documents/skill.ts";
import type { RoleImport } from "../../contract/routes/role-file-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Acceptance } from "../../runs/admin/skill-desk.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of skill packs, and of roles in other tools' files. */
export interface SkillPort {
  skills: {
    list(projectId: string | undefined): RouteResponse<"listSkills">;
    get(slug: string, projectId: string | undefined): Skill;
    accept(slug: string, acceptance: Acceptance): Promise<SkillSummary>;
  };
  instructions: {
    list(projectId: string): Promise<RouteResponse<"listInstructions">>;
    accept(projectId: string, body: { path: string; hash: string }, change: Change): Promise<Instruction>;
  };
  roleFiles: {
    import(body: RoleImport, change: Change): Promise<Omit<RouteResponse<"importRole">, "success">>;
    export(id: string): RouteResponse<"exportRole">;
  };
}

const success = true as const;

type SkillEndpoint = "listSkills" | "getSkill" | "acceptSkill" | "importRole" | "exportRole";
type Handled = SkillEndpoint | "listInstructions" | "acceptInstructions";

export function skillHandlers({ skills, instructions, roleFiles }: SkillPort): HandlersOf<Handled> {
  return {
    listSkills: ({ query }) => skills.list(query.project),
    getSkill: ({ params, query }) => ({ skill: skills.get(params.slug, query.project) }),
    acceptSkill: async ({ params, query, body, change }) => ({
      success,
      skill: await skills.accept(params.slug, { projectId: query.project, hash: body.hash, change }),
    }),
    listInstructions: ({ params }) => instructions.list(params.id),
    acceptInstructions: async ({ params, body, change }) => ({
      success,
      instruction: await instructions.accept(params.id, body, change),
    }),
    importRole: async ({ body, change }) => ({ success, ...(await roleFiles.import(body, change)) }),
    exportRole: ({ params }) => roleFiles.export(params.id),
  };
}
