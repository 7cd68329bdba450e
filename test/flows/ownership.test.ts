import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Hall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { Turn } from "../harness/scripted-provider.ts";

const CANARY = "canary-7d1f";
const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);

/** A hall whose model makes these calls, one after the other, and what came of each. */
async function hallThatCalls(steps: Turn[]) {
  const outputs: string[] = [];
  const scripted = await scriptedHall((seen) => {
    outputs.push(...seen.results.map(({ output }) => output));
    return steps.shift() ?? { text: "Done." };
  });
  return { ...scripted, outputs };
}

const inWorkspace = ({ workspace }: Hall, path: string) => readFileSync(join(workspace, path), "utf8");

it("the main agent reads the files of every project, but no secrets [S4-OWN-01]", async () => {
  const { hall, provider, outputs } = await hallThatCalls([
    call("list", { path: "projects" }),
    call("read", { path: "projects/web/CONTEXT/notes.md" }),
    call("search", { pattern: "blue door|canary", glob: "**/*" }),
    call("read", { path: "projects/web/TASKS/todo/TASK-001.md" }),
    call("read", { path: ".guildhall/token" }),
    call("list", { path: ".guildhall" }),
    call("read", { path: "projects/web/.env" }),
    call("read", { path: "../outside" }),
    call("write", { path: "USER.md", content: "x" }),
  ]);
  await hall.call("POST", "/api/projects", { id: "web", name: "Web" });
  writeFileSync(join(hall.workspace, "projects/web/CONTEXT/notes.md"), "The blue door sticks.\n");
  await hall.call("POST", "/api/projects/web/tasks", { title: "Mend the blue door" });
  writeFileSync(join(hall.workspace, "projects/web/.env"), `PASSWORD=${CANARY}\n`);
  writeFileSync(join(hall.workspace, ".guildhall/canary"), CANARY);
  const { body } = await hall.call("POST", "/api/chat?wait=20", { text: "Look around." });
  expect(textsOf(body.answers)).toEqual(["Done."]);
  expect(outputs[0]).toBe("shop/\nweb/");
  expect(outputs[1]).toContain("The blue door sticks.");
  expect(outputs[2]).toContain("projects/web/CONTEXT/notes.md:1: The blue door sticks.");
  expect(outputs[3]).toContain("Mend the blue door");
  for (const output of outputs.slice(4, 7)) expect(output).toContain("usually holds secrets");
  expect(outputs[7]).toContain("leaves the folder");
  expect(outputs[8]).toContain("write");
  const sent = JSON.stringify(provider.requests.map(({ body: request }) => request));
  for (const secret of [CANARY, hall.token]) expect(sent).not.toContain(secret);
});

it("the main agent writes MEMORY.md, today's notes and knowledge of the hall, and nothing that is the person's [S4-OWN-02]", async () => {
  const today = `daily/${new Date().toISOString().slice(0, 10)}.md`;
  const { hall, provider, outputs } = await hallThatCalls([
    call("memory_append", { path: "MEMORY.md", text: "The shop comes first." }),
    call("memory_patch", { path: "MEMORY.md", old: "The shop comes first.", new: "The web comes first." }),
    call("memory_append", { path: today, text: "Talked about priorities." }),
    call("knowledge_add", { text: "Prices are in euros.", topic: "conventions" }),
    ...["IDENTITY.md", "USER.md", "ROLES.json", "config.yml"].map((path) => call("memory_append", { path, text: "x" })),
  ]);
  const own = ["IDENTITY.md", "USER.md", "ROLES.json", "config.yml"];
  const before = own.map((path) => inWorkspace(hall, path));
  await hall.call("POST", "/api/chat?wait=20", { text: "Remember what matters: Prices are in euros." });
  expect(outputs.slice(0, 3)).toEqual(["Added to MEMORY.md.", "Changed MEMORY.md.", `Added to ${today}.`]);
  expect(inWorkspace(hall, "MEMORY.md")).toMatch(/\nThe web comes first\.\n$/);
  expect(inWorkspace(hall, today)).toContain("Talked about priorities.");
  expect(inWorkspace(hall, "knowledge/conventions.md")).toContain("Prices are in euros.");
  expect(own.map((path) => inWorkspace(hall, path))).toEqual(before);
  appendFileSync(join(hall.workspace, "MEMORY.md"), "A line by hand.\n");
  await hall.call("POST", "/api/chat?wait=20", { text: "What matters?" });
  for (const told of ["The web comes first.", "A line by hand.", "Prices are in euros."])
    expect(provider.requests.at(-1)?.system).toContain(told);
});

it("a project's agent keeps its plans, tasks and knowledge, and reads but does not write what holds everywhere [S4-OWN-03, S4-OWN-04]", async () => {
  const { hall, provider, outputs } = await hallThatCalls([
    call("initiative_create", { title: "Green doors", goals: ["Every door is green"] }),
    call("plan_edit", { slug: "green-doors", old: "Not started.", new: "Paint is bought." }),
    call("plan_edit", { slug: "green-doors", new: "- Paint the back door." }),
    call("task_create", { title: "Paint the back door", plan: "green-doors" }),
    call("task_create", { title: "Ask for a price" }),
    call("task_update", { id: "TASK-002", plan: "green-doors" }),
    call("task_complete", { id: "TASK-002", summary: "Ten euros." }),
    call("initiative_list", {}),
    call("plan_read", { slug: "green-doors" }),
    call("knowledge_search", { query: "euros" }),
    call("knowledge_add", { text: "Doors are painted twice.", topic: "conventions" }),
    call("knowledge_promote", { id: "x" }),
    call("plan_edit", { slug: "../../web/plans/x", new: "x" }),
    call("task_get", { id: "TASK-001", project: "web" }),
  ]);
  await hall.call("POST", "/api/knowledge", { text: "Prices are in euros.", topic: "conventions" });
  const { body } = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Plan it." });
  expect(textsOf(body.answers)).toEqual(["Done."]);
  const plan = inWorkspace(hall, "projects/shop/plans/green-doors/plan.md");
  for (const part of ["- Every door is green", "Paint is bought.", "- Paint the back door."])
    expect(plan).toContain(part);
  expect(outputs[7]).toBe("green-doors: Green doors (1 of 2 tasks done)");
  expect(outputs[8]).toBe(plan);
  expect(outputs[9]).toContain("Prices are in euros.");
  expect(inWorkspace(hall, "knowledge/conventions.md")).not.toContain("Doors are painted twice.");
  expect(inWorkspace(hall, "projects/shop/knowledge/conventions.md")).toContain("Doors are painted twice.");
  expect(provider.requests[0]?.tools).not.toContain("knowledge_promote");
  expect(outputs[12]).toContain("slug");
  expect(outputs[13]).toContain("not valid");
  const { initiatives } = (await hall.call("GET", "/api/projects/shop/initiatives")).body;
  expect(initiatives).toMatchObject([{ slug: "green-doors", tasks: { done: 1, total: 2 } }]);
  const { task } = (await hall.call("GET", "/api/projects/shop/tasks/TASK-002")).body;
  expect(task).toMatchObject({ plan: "green-doors", status: "done", completionNotes: "Ten euros." });
  const { events } = (await hall.call("GET", "/api/events/log?project=shop&type=document.written")).body;
  expect(events.map(({ subject }: { subject: { id: string } }) => subject.id)).toEqual([
    ...["plans/green-doors/plan.md", "plans/green-doors/plan.md", "knowledge/conventions.md"],
  ]);
  for (const { actor } of events) expect(actor).toMatchObject({ kind: "agent", id: "project:shop" });
});
