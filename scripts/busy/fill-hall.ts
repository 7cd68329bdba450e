import type { Client } from "../../src/cli/http/client.ts";
import {
  BUSY_KNOWLEDGE,
  BUSY_LABELS,
  BUSY_MEMORY,
  BUSY_PROJECTS,
  BUSY_ROLES,
  BUSY_TASKS,
  type BusyProject,
} from "./busy-words.ts";

const PLAN = "next-quarter";
const ANSWER_SECONDS = 20;

/** Roles, projects with their teams, tasks in every status, knowledge, memory and talk, over the API of a hall. */
export async function fillHall(client: Client, repositories: Record<string, string> = {}): Promise<void> {
  for (const body of BUSY_ROLES) await client.call("createRole", { body });
  for (const [at, project] of BUSY_PROJECTS.entries()) await fillProject(client, { project, at, repositories });
  for (const body of BUSY_KNOWLEDGE) await client.call("addKnowledge", { body });
  for (const { project, name, summary, text } of BUSY_MEMORY) {
    const content = `> Summary: ${summary}\n\n${text}\n`;
    await client.call("writeMemory", { params: { id: project }, body: { path: `facts/${name}.md`, content } });
  }
}

/** What is said in the chat of the main agent, and with one project. */
export async function talk(client: Client): Promise<void> {
  const query = { wait: ANSWER_SECONDS };
  for (const text of ["Good morning! What needs me today?", "How are the payments?"])
    await client.call("sendChat", { query, body: { text }, silenceMs: 2 * ANSWER_SECONDS * 1_000 });
  const body = { text: "What is still open before the release?" };
  await client.call("messageProject", { params: { id: "web-shop" }, query, body, silenceMs: 60_000 });
}

interface Filling {
  project: BusyProject;
  at: number;
  repositories: Record<string, string>;
}

async function fillProject(client: Client, { project, at, repositories }: Filling): Promise<void> {
  const { id, body, status } = project;
  const workdir = repositories[id];
  const merging = { config: { ...body.config, constraints: { requireReview: false, ...body.config?.constraints } } };
  await client.call("createProject", { body: { ...body, ...(workdir === undefined ? {} : { workdir, ...merging }) } });
  const params = { id };
  const team = [0, 1, 2, 3].map((place) => BUSY_ROLES[(at + place * 4) % BUSY_ROLES.length]?.id ?? "coder");
  for (const roleId of new Set(["coder", ...team])) await client.call("createAssignment", { params, body: { roleId } });
  const goals = ["Nothing is slower than before", "Every change is explained"];
  await client.call("createInitiative", { params, body: { slug: PLAN, title: "Next quarter", goals } });
  const isQuiet = status !== undefined;
  for (const place of Array.from({ length: isQuiet ? 4 : BUSY_TASKS.length }, (_, index) => index))
    await addTask(client, { project, at, place, team });
  if (status !== undefined) await client.call("moveProject", { params, body: { status } });
}

interface Place extends Pick<Filling, "project" | "at"> {
  place: number;
  team: readonly string[];
}

async function addTask(client: Client, { project, at, place, team }: Place): Promise<void> {
  const words = BUSY_TASKS[place % BUSY_TASKS.length];
  if (words === undefined) return;
  const thing = project.things[place % project.things.length] ?? project.body.name;
  const criteria = [
    "It works as described",
    `People who use ${thing} were asked`,
    "There is a test that fails without it",
  ];
  const met = words.status === "done" ? 3 : words.status === "review" ? 2 : place % 2;
  const label = (offset: number) => BUSY_LABELS[(at + place + offset) % BUSY_LABELS.length] ?? "q4";
  const roleId = team[place % team.length];
  await client.call("createTask", {
    params: { id: project.id },
    body: {
      ...words,
      title: words.title.replace("@", thing),
      description: `People noticed it with ${thing}. See what happens, find the reason, and change as little as possible.`,
      acceptanceCriteria: criteria.map((text, index) => ({ text, done: index < met })),
      labels: place % 3 === 0 ? [label(0), label(3)] : [label(0)],
      ...(place % 4 === 0 ? { plan: PLAN } : {}),
      ...(words.status === "blocked" ? { blockedBy: ["TASK-003", "TASK-004"] } : {}),
      ...(roleId === undefined || words.status === "pending" ? {} : { assignedRoleId: roleId }),
      ...(words.status === "done"
        ? { outcome: "full", completionNotes: "Done as described, and looked at by two." }
        : {}),
    },
  });
}
