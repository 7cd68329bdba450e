import { createHash } from "node:crypto";
import type { PortfolioProject } from "../../contract/documents/autonomy/portfolio.ts";
import type { ProposalKind } from "../../contract/words/autonomy/orchestrator-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { questionKey } from "../../people/rules/new-escalation.ts";
import { slugOf } from "../../workspace/projects/project-rules.ts";
import { keyOf, type Resting } from "./rank.ts";
import type { Proposal } from "./state.ts";

/** So many done tasks should have left more than so few statements. */
const MANY_DONE = 10;
const FEW_STATEMENTS = 3;
/** Proposals that wait for the person, and that one cycle makes. */
const MOST_OPEN = 5;
const MOST_AT_ONCE = 3;
const LONGEST_TITLE = 100;
const MOST_LISTED = 10;

interface StaleTask {
  projectId: string;
  id: string;
  title: string;
  updatedAt: string;
}

export interface IdeaFacts {
  /** Active ones in which the orchestrator may work. */
  projects: readonly PortfolioProject[];
  resting: ReadonlyMap<string, Resting>;
  staleDays: number;
  stale: readonly StaleTask[];
  /** Statements by project. */
  statements: ReadonlyMap<string, number>;
  /** The newest integration check of a project, where it failed. */
  failing: ReadonlyMap<string, { id: string; steps: string; at: string }>;
  /** Working folders by project. */
  folders: ReadonlyMap<string, string>;
  known: ReadonlyMap<string, Proposal>;
}

/** New work that the orchestrator found, with the records it rests on. */
export interface Idea {
  key: string;
  kind: ProposalKind;
  projectId?: string;
  title: string;
  goals: string[];
  tasks: string[];
  evidence: string;
  slug?: string;
}

/** What is worth proposing now. The same idea has the same key, and one that was proposed before is left out. Pure. */
export function ideasIn(facts: IdeaFacts): Idea[] {
  const open = [...facts.known.values()].filter(({ state }) => state === "asked").length;
  const found = [...conflicts(facts), ...facts.projects.flatMap((project) => ideasFor(facts, project))];
  return found
    .filter(({ key }) => (facts.known.get(key)?.state ?? "dropped") === "dropped")
    .slice(0, Math.max(0, Math.min(MOST_AT_ONCE, MOST_OPEN - open)));
}

function ideasFor(facts: IdeaFacts, project: PortfolioProject): Idea[] {
  return [
    fixTests(facts, project),
    fromGoals(facts, project),
    staleTasks(facts, project),
    thin(facts, project),
  ].flatMap((idea) => idea ?? []);
}

function fromGoals({ resting }: IdeaFacts, project: PortfolioProject): Idea | undefined {
  const { id, goals, initiatives } = project;
  const isOver = (slug: string, state: string) => state === "complete" || resting.get(keyOf(id, slug)) === "complete";
  const active = initiatives.find(({ slug, state }) => !isOver(slug, state));
  const [first] = goals;
  if (first === undefined || active !== undefined) return undefined;
  return initiative(project, {
    ...{ key: `goals ${id} ${hashOf(goals.join("\n"))}`, kind: "goals", title: first, goals: [...goals] },
    evidence: `${id} has goals and no active initiative: ${goals.join("; ")}`,
  });
}

function fixTests({ failing }: IdeaFacts, project: PortfolioProject): Idea | undefined {
  const check = failing.get(project.id);
  if (check === undefined) return undefined;
  return initiative(project, {
    ...{ key: `tests ${project.id} ${hashOf(check.steps)}`, kind: "tests", title: "Fix the failing tests" },
    ...{ goals: [`The integration check passes again: ${check.steps}`] },
    evidence: `The newest integration check ${check.id} of ${check.at} failed: ${check.steps}`,
  });
}

function thin({ statements }: IdeaFacts, project: PortfolioProject): Idea | undefined {
  const known = statements.get(project.id) ?? 0;
  const { done } = project.tasks;
  if (done < MANY_DONE || known >= FEW_STATEMENTS) return undefined;
  return initiative(project, {
    ...{ key: `knowledge ${project.id}`, kind: "knowledge", title: "Document what is known" },
    ...{ goals: ["Conventions, decisions and patterns of the project are written down as knowledge."] },
    evidence: `${project.id} has ${done} done tasks and ${known} statements of knowledge.`,
  });
}

function initiative(
  { id, initiatives }: PortfolioProject,
  idea: Omit<Idea, "projectId" | "tasks" | "slug">,
): Idea | undefined {
  const title = cutText(idea.title.replace(/\s+/g, " "), LONGEST_TITLE);
  const base = slugOf(title) ?? idea.kind;
  const isFree = (slug: string) => !initiatives.some((one) => one.slug === slug);
  const slug = [base, ...Array.from({ length: 50 }, (_, index) => `${base}-${index + 2}`)].find(isFree);
  return slug === undefined ? undefined : { ...idea, title, projectId: id, tasks: [], slug };
}

function staleTasks({ stale, staleDays, known }: IdeaFacts, { id }: PortfolioProject): Idea | undefined {
  const before = new Set(
    [...known.values()]
      .filter((one) => one.kind === "stale" && one.projectId === id && one.state !== "dropped")
      .flatMap(({ tasks }) => tasks),
  );
  const fresh = stale.filter((task) => task.projectId === id && !before.has(task.id)).slice(0, MOST_LISTED);
  if (fresh.length === 0) return undefined;
  const tasks = fresh.map((task) => task.id);
  const listed = fresh.map((task) => `${task.id} ${task.title} (since ${task.updatedAt.slice(0, 10)})`).join("; ");
  return {
    ...{ key: `stale ${id} ${hashOf(tasks.join(" "))}`, kind: "stale", projectId: id, goals: [], tasks },
    title: `${tasks.length === 1 ? "A task has" : `${tasks.length} tasks have`} waited more than ${staleDays} days`,
    evidence: listed,
  };
}

/** Projects that would get in each other's way, or do the same twice. */
function conflicts({ projects, folders }: IdeaFacts): Idea[] {
  const ideas: Idea[] = [];
  const goals = new Map<string, string>();
  const taken = new Map<string, string>();
  const add = (what: string, ids: readonly [string, string], evidence: string) =>
    ideas.push({
      ...{
        key: `conflict ${what} ${ids.join(" ")} ${hashOf(evidence)}`,
        kind: "conflict",
        goals: [],
        tasks: [],
        evidence,
      },
      title: `Projects ${ids[0]} and ${ids[1]} ${what === "folder" ? "work in the same folder" : "have the same goal"}`,
    });
  for (const { id, goals: own } of projects) {
    const folder = folders.get(id);
    const other = folder === undefined ? undefined : taken.get(folder);
    if (other !== undefined && folder !== undefined) add("folder", [other, id], folder);
    if (folder !== undefined && other === undefined) taken.set(folder, id);
    for (const goal of own) {
      const key = questionKey(goal);
      const first = goals.get(key);
      if (first !== undefined && first !== id) add("goal", [first, id], goal);
      if (first === undefined) goals.set(key, id);
    }
  }
  return ideas;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
