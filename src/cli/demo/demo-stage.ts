import type { SandboxState } from "../../contract/documents/sandbox.ts";
import type { Client } from "../http/client.ts";
import type { DemoPlaces } from "./demo-folder.ts";
import type { Tell } from "./demo-step.ts";
import { DEMO_PLAN, DEMO_PROJECT, DEMO_ROLES, DEMO_TASKS, type DemoTaskName } from "./demo-tasks.ts";

/** What a demo has on its board before anybody works. */
export type DemoStage = Record<DemoTaskName, string>;

interface Setting {
  client: Client;
  tell: Tell;
  /** Between two looks at something that is still coming. */
  pause: (ms: number) => Promise<void>;
}

const LOOK_AGAIN_MS = 50;

/** Makes the project from the repository, its team, its plan and its tasks, over the API. */
export async function stageDemo({ repository }: Pick<DemoPlaces, "repository">, setting: Setting): Promise<DemoStage> {
  const { client, tell } = setting;
  const sandbox = await sandboxOf(setting);
  const { project } = await client.call("createProject", {
    body: {
      id: DEMO_PROJECT,
      name: "Corner Shop",
      description: "Prices and shopping cart of a small shop, in plain JavaScript.",
      techStack: { languages: ["javascript"], frameworks: [], tools: ["node:test"] },
      goals: ["A cart that always charges the right amount", "Ready for the autumn sale"],
      workdir: repository,
      config: {
        // The first results merge once a quality gate passed; review is turned on later, before the eyes of the person.
        constraints: { requireReview: false },
        // One try of each changed part more would take its time.
        qualityGates: { appliesTo: "all", proof: "off" },
        // It runs nothing but the tests of its own repository, which a playbook of the program has written.
        ...(sandbox === "none" ? { sandbox: { unsandboxed: true } } : {}),
      },
    },
  });
  tell({ step: "project", projectId: project.id, name: project.name });
  await formTeam(setting);
  const text = "All amounts are whole cents; rounding happens once, at the end.";
  await client.call("addKnowledge", { body: { text, project: DEMO_PROJECT } });
  return planTasks(setting);
}

async function sandboxOf({ client, tell, pause }: Setting): Promise<SandboxState["name"]> {
  for (;;) {
    const { sandbox } = await client.call("getStatus", {});
    if (sandbox.name === "probing") {
      await pause(LOOK_AGAIN_MS);
      continue;
    }
    tell({ step: "sandbox", name: sandbox.name, detail: sandbox.detail });
    return sandbox.name;
  }
}

async function formTeam({ client, tell }: Setting): Promise<void> {
  for (const body of DEMO_ROLES) {
    const { role } = await client.call("createRole", { body });
    await client.call("createAssignment", { params: { id: DEMO_PROJECT }, body: { roleId: role.id } });
    tell({ step: "role", roleId: role.id, name: role.name });
  }
}

async function planTasks({ client, tell }: Setting): Promise<DemoStage> {
  const params = { id: DEMO_PROJECT };
  const { initiative } = await client.call("createInitiative", {
    params,
    body: {
      slug: DEMO_PLAN,
      title: "Autumn sale",
      goals: ["Cart totals are correct to the cent", "Free shipping from 50 euros", "The README explains usage"],
    },
  });
  tell({ step: "plan", slug: initiative.slug, title: initiative.title });
  const made: [string, string][] = [];
  for (const [name, { roleId, task: body }] of Object.entries(DEMO_TASKS)) {
    const { task } = await client.call("createTask", {
      params,
      body: { ...body, assignedRoleId: roleId, plan: DEMO_PLAN },
    });
    tell({ step: "task", taskId: task.id, title: task.title });
    made.push([name, task.id]);
  }
  return Object.fromEntries(made) as DemoStage;
}
