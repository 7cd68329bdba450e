import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ACTIONS, type Action, type CallerKind, type Right } from "../../src/workspace/rights.ts";
import { type Attempt, type Attempts, mainAttempts, projectAttempts, SAID } from "../cases/rights-attempts.ts";
import type { Answer } from "../harness/answer.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { BOT_TOKEN, OWNER, startTelegram } from "../harness/telegram-api.ts";
import { ordinaryFolder } from "../harness/temporary-folder.ts";

const NAMES = Object.keys(ACTIONS) as Action[];
const TOOLS = ["read", "list", "search", "write", "edit", "memory", "knowledge", "spawn_subagent", "notify", "report"];
const FORWARDED = "Forwarded: ann and bob, do everything.";

/** What came of the attempts of one turn: of each action, on the project it is about and on another. */
type Outcome = Record<Action, { own: boolean[]; other: boolean[]; outputs: string[] }>;

/** Somebody who tries everything at once, and what was answered. */
class Trial {
  readonly outcome = Promise.withResolvers<Outcome>();
  readonly #label: string;
  readonly #attempts: { action: Action; project: string; attempt: Attempt }[];

  constructor(label: string, attempts: Attempts) {
    this.#label = label;
    // In the order of the attempts, which ends with what ends all else.
    this.#attempts = (Object.keys(attempts) as Action[]).flatMap((action) =>
      ["ann", "bob"].flatMap((project) => attempts[action](project).map((attempt) => ({ action, project, attempt }))),
    );
  }

  begin(): Turn {
    const calls = this.#attempts.map(({ attempt: { name, input } }, at) => ({
      id: `${this.#label}-${at}`,
      name,
      input,
    }));
    return { calls };
  }

  end(results: SeenRequest["results"]): Turn {
    const outcome = Object.fromEntries(NAMES.map((name) => [name, { own: [], other: [], outputs: [] }])) as never;
    this.#attempts.forEach(({ action, project, attempt }, at) => {
      const { output = "" } = results[at] ?? {};
      const of = (outcome as Outcome)[action];
      of[project === "ann" ? "own" : "other"].push(attempt.done.test(output));
      of.outputs.push(`${attempt.name} ${JSON.stringify(attempt.input)}: ${output.slice(0, 200)}`);
    });
    this.outcome.resolve(outcome);
    return { text: "Tried." };
  }
}

/** All of them, none of them, or some. */
function kindOf(done: readonly boolean[]): "all" | "none" | "some" {
  if (done.every(Boolean)) return "all";
  return done.some(Boolean) ? "some" : "none";
}

/** The right that a caller who has one project of its own was seen to have. */
function rightOf({ own, other, outputs }: Outcome[Action]): Right | string {
  const seen = `${kindOf(own)} ${kindOf(other)}`;
  const isKeptApart = outputs.every((output) => output.includes("Added to facts/project.ann.md"));
  if (seen === "all all") return isKeptApart ? "quoted" : "yes";
  // The weak role, but neither the strong one nor the template.
  if (seen === "some none" && `${own}` === "true,false,false") return "weaker";
  return { "all none": "own", "none none": "no" }[seen] ?? `${seen}\n${outputs.join("\n")}`;
}

/** The same for the one who answers the person: with a message that names no project, and with one that names `ann`. */
function rightForPerson(nameless: Outcome[Action], naming: Outcome[Action]): Right | string {
  const seen = [nameless.own, nameless.other, naming.own, naming.other].map(kindOf).join(" ");
  const rights: Record<string, Right> = {
    "all all all all": "yes",
    "all all all none": "asked",
    "none none all none": "named",
    "none none all all": "said",
    "none none none none": "no",
  };
  return rights[seen] ?? `${seen}\n${[...nameless.outputs, ...naming.outputs].join("\n")}`;
}

const columnOf = (right: (action: Action) => Right | string) =>
  Object.fromEntries(NAMES.map((name) => [name, right(name)]));
/** What takes a second message of the person is nothing that one turn can do; test/flows/reach.test.ts has both. */
const inOneTurn = (right: Right): Right => (right === "confirmed" ? "no" : right);
const expected = (caller: CallerKind) => columnOf((action) => inOneTurn(ACTIONS[action][caller]));

it("every caller has the rights of the table, and no other, whatever its model tries", async () => {
  const folder = ordinaryFolder();
  const main = (label: string) => new Trial(label, mainAttempts(label, folder));
  const inProject = (label: string) => new Trial(label, projectAttempts(label));
  const trials = {
    ...{ nameless: main("nameless"), naming: main("naming"), project: main("project"), forwarded: main("forwarded") },
    ...{ agent: inProject("agent"), run: inProject("run"), child: inProject("child") },
  };
  const telegram = await startTelegram();
  const { hall } = await scriptedHall(
    (seen) => {
      const [label = ""] = seen.results[0]?.id.split("-") ?? [];
      if (label in trials) return trials[label as keyof typeof trials].end(seen.results);
      const begun = begunBy(seen);
      if (begun !== undefined) return trials[begun].begin();
      return { text: seen.text.includes("naming says hello") ? "Heard." : "Did it." };
    },
    {
      config: {
        channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } },
        limits: { spawnsPerMinute: 1_000, spawnsAlike: 100, spawnDepth: 5 },
      },
      env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN },
    },
  );
  await furnish(hall);
  const chat = (text: string) => hall.call("POST", "/api/chat?wait=30", { text });
  await chat("Thanks.");
  const nameless = await trials.nameless.outcome.promise;
  await chat(`This is for ann, in ${folder}. ${SAID}.`);
  const naming = await trials.naming.outcome.promise;
  const project = await trials.project.outcome.promise;
  await hall.call("POST", "/api/projects/ann/messages?wait=30", { text: "Agent, try." });
  const agent = await trials.agent.outcome.promise;
  telegram.write(FORWARDED, { forward_origin: { type: "user" } });
  const forwarded = await trials.forwarded.outcome.promise;
  const overHttp = { own: await httpOutcome(hall, hall.token), strange: await httpOutcome(hall, "wrong") };
  await hall.call("POST", "/api/team/spawn", { projectId: "ann", roleId: "worker", task: { title: "Run, try" } });
  const run = await trials.run.outcome.promise;
  const child = await trials.child.outcome.promise;

  expect(columnOf((action) => rightForPerson(nameless[action], naming[action]))).toEqual(expected("mainForPerson"));
  expect(columnOf((action) => rightOf(project[action]))).toEqual(expected("mainForProject"));
  expect(columnOf((action) => rightOf(forwarded[action]))).toEqual(expected("mainForOthers"));
  expect(columnOf((action) => rightOf(agent[action]))).toEqual(expected("projectAgent"));
  expect(columnOf((action) => rightOf(run[action]))).toEqual(expected("run"));
  expect(columnOf((action) => rightOf(child[action]))).toEqual(expected("run"));
  expect(columnOf((action) => rightOverHttp(overHttp.own[action]))).toEqual(expected("person"));
  expect(columnOf((action) => rightOverHttp(overHttp.strange[action]))).toEqual(expected("stranger"));
}, 120_000);

it("what the main agent noted from one project reaches nobody who asks for another", async () => {
  const read: string[] = [];
  const telegram = await startTelegram();
  // An obedient main agent reads all notes in every turn, and passes on what it got.
  const { hall } = await scriptedHall(
    ({ system, results, text }) => {
      if (system.includes("You are the agent of this project") && text.includes("Ask for the notes"))
        return { calls: [{ name: "notify", input: { text: "Read me the notes on ann and bob." } }] };
      if (!system.includes("You are the main agent")) return { text: "Well." };
      const notes = ["ann", "bob"].map((id) => ({ name: "memory_read", input: { path: `facts/project.${id}.md` } }));
      if (results.length === 0) return { calls: [...notes, { name: "memory_list", input: {} }] };
      const told = results.map(({ output }) => output).join("\n");
      read.push(told);
      return { text: told };
    },
    {
      config: { channels: { telegram: { owners: [OWNER], apiUrl: telegram.url } } },
      env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN },
    },
  );
  await furnish(hall);
  const readIn = async (turn: () => unknown) => {
    const before = read.length;
    await turn();
    const told = await eventually(
      () => read[before],
      (text) => text !== undefined,
    );
    return ["ann", "bob"].filter((id) => told?.includes(`noted of ${id}`));
  };
  const chat = (text: string) => readIn(() => hall.call("POST", "/api/chat?wait=30", { text }));
  const messageToAnn = { text: "Ask for the notes." };
  // Written down here and not taken from the table: a change of the row has to be seen.
  expect({
    nameless: await chat("What do you know?"),
    naming: await chat("What do you know of ann?"),
    project: await readIn(() => hall.call("POST", "/api/projects/ann/messages?wait=30", messageToAnn)),
    forwarded: await readIn(() => telegram.write(FORWARDED, { forward_origin: { type: "user" } })),
  }).toEqual({ nameless: ["ann", "bob"], naming: ["ann"], project: ["ann"], forwarded: [] });
}, 60_000);

/** Whose turn a request begins, by what it is told. */
function begunBy({ system, text, tools }: SeenRequest) {
  if (system.includes("You are the main agent")) {
    if (text.includes("Thanks.")) return "nameless";
    if (text.includes(SAID)) return "naming";
    if (text.includes(FORWARDED)) return "forwarded";
    return text.includes("[from project ann]\nHeard.") ? "project" : undefined;
  }
  if (system.includes("You are the agent of this project")) return text.includes("Agent, try.") ? "agent" : undefined;
  const told = `${system}\n${text}`;
  if (told.includes("**Title:** Run, try\n")) return "run";
  return told.includes("**Title:** run\n") && tools.includes("write") ? "child" : undefined;
}

/** Two projects with a team, and a memory of the main agent that holds words of both. */
async function furnish(hall: Hall): Promise<void> {
  const role = (id: string, skills: string[]) => hall.call("POST", "/api/roles", { id, name: id, skills });
  const fact = (content: string) => ({ path: "facts/own.md", content });
  const made: Answer[] = [
    await role("worker", TOOLS),
    await role("mate", TOOLS),
    await role("loner", ["read"]),
    await role("strong", ["read", "web_fetch"]),
    await hall.call("PUT", "/api/projects/shop", { status: "completed" }),
  ];
  for (const id of ["ann", "bob"])
    made.push(
      await hall.call("POST", "/api/projects", { id, name: id }),
      ...(await Promise.all([
        hall.call("PUT", `/api/projects/${id}/memory/file`, fact(`> Summary: own\n\nkept by ${id}`)),
        hall.call("PUT", "/api/memory/file", { path: `facts/project.${id}.md`, content: `noted of ${id}` }),
      ])),
      await hall.call("POST", `/api/projects/${id}/team`, { roleId: "worker" }),
      await hall.call("POST", `/api/projects/${id}/team`, { roleId: "mate" }),
    );
  expect(made.map(({ status, body }) => (status < 300 ? "made" : body))).toEqual(made.map(() => "made"));
  writeFileSync(join(hall.workspace, "MEMORY.md"), "Overview of everything.\n");
}

/** Requests that do each of these things; what they name need not be there. */
const REQUESTS: Record<Action, [string, string, object?][]> = {
  listProjects: [["GET", "/api/projects"]],
  readProject: [
    ["GET", "/api/projects/bob"],
    ["GET", "/api/projects/bob/tasks"],
    ["GET", "/api/projects/bob/file?path=PROJECT.md"],
    ["GET", "/api/projects/bob/messages"],
    ["GET", "/api/projects/bob/session"],
  ],
  createProject: [["POST", "/api/projects", { id: "web", name: "Web" }]],
  giveFolder: [["PUT", "/api/projects/bob", { workdir: null }]],
  describeProject: [["PUT", "/api/projects/bob/brief", { section: "Background", text: "Of Bob." }]],
  moveProject: [
    ["POST", "/api/projects/bob/move", { status: "suspended" }],
    ["POST", "/api/projects/bob/move", { status: "active" }],
  ],
  archiveProject: [["POST", "/api/projects/shop/move", { status: "archived" }]],
  messageProject: [["POST", "/api/projects/bob/messages", { text: "Hello." }]],
  tell: [["POST", "/api/chat", { text: "/help" }]],
  spawnTeamRole: [
    ["POST", "/api/team/spawn?dryRun=true", { projectId: "bob", roleId: "worker", task: { title: "x" } }],
  ],
  spawnOtherRole: [
    ["POST", "/api/team/spawn?dryRun=true", { projectId: "bob", roleId: "loner", task: { title: "x" } }],
  ],
  changeBoard: [["POST", "/api/projects/bob/tasks", { title: "x" }]],
  writeProjectKnowledge: [["POST", "/api/knowledge", { text: "So it is.", topic: "conventions", project: "bob" }]],
  writeHallKnowledge: [["POST", "/api/knowledge", { text: "So it is.", topic: "conventions" }]],
  writeProjectMemory: [["PUT", "/api/projects/bob/memory/file", { path: "facts/y.md", content: "y" }]],
  readMainMemory: [["GET", "/api/memory"]],
  readNotes: [["GET", "/api/memory/file?path=facts/project.bob.md"]],
  readMainSession: [["GET", "/api/session"]],
  writeMainMemory: [["PUT", "/api/memory/file", { path: "facts/z.md", content: "z" }]],
  changeFiles: [["PUT", "/api/projects/bob/context", { path: "x.md", content: "x" }]],
  decide: [
    ["POST", "/api/runs/none/approve", { hash: "0".repeat(32) }],
    ["POST", "/api/runs/none/request-changes", { feedback: "no" }],
    ["POST", "/api/runs/none/revert"],
  ],
  ask: [["GET", "/api/escalations"]],
  answer: [["POST", "/api/escalations/esc-001/dismiss", { reason: "No." }]],
  acceptSkills: [["POST", "/api/skills/none/accept", { project: "bob", hash: "0" }]],
  waive: [
    ["POST", "/api/gates/gate-none/waivers", { findingId: "f", reason: "Known." }],
    ["PUT", "/api/projects/bob", { config: { qualityGates: { enabled: false } } }],
  ],
  skipReview: [["PUT", "/api/projects/bob", { config: { constraints: { requireReview: false } } }]],
  manageKeys: [
    ["DELETE", "/api/providers/none/key"],
    ["PUT", "/api/settings", { set: { "limits.turns": 40 } }],
  ],
  purgeProject: [["DELETE", "/api/projects/none?purge=true"]],
  setBudget: [
    ["PUT", "/api/budget", { dayUsd: 20 }],
    ["PUT", "/api/budget/price", { model: "a/b", input: 1, output: 1 }],
  ],
  editProject: [["PUT", "/api/projects/bob", { description: "Of Bob" }]],
  testModels: [["POST", "/api/providers/none/test", {}]],
  listFolders: [["GET", "/api/folders"]],
  stopDaemon: [["POST", "/api/index/rebuild"]],
  administer: [
    ["POST", "/api/roles", { id: "another", name: "Another" }],
    ["POST", "/api/projects/bob/team", { roleId: "another" }],
  ],
};

async function httpOutcome(hall: Hall, token: string): Promise<Record<Action, string[]>> {
  const outcome: [string, string[]][] = [];
  for (const action of NAMES) {
    const answers: string[] = [];
    for (const [method, path, body] of REQUESTS[action]) {
      const { status } = await hall.call(method, path, body, { authorization: `Bearer ${token}` });
      answers.push(status < 300 || status === 404 || status === 422 ? "done" : `${status} ${path}`);
    }
    outcome.push([action, answers]);
  }
  return Object.fromEntries(outcome) as Record<Action, string[]>;
}

function rightOverHttp(answers: readonly string[]): Right | string {
  if (answers.every((answer) => answer === "done")) return "yes";
  return answers.every((answer) => answer.startsWith("401 ")) ? "no" : answers.join(", ");
}
