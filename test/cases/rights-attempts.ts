import type { Action } from "../../src/workspace/rights.ts";
import type { ScriptedCall } from "../harness/wire/wire.ts";

/** A call of a tool, and what its answer looks like when it was carried out. */
export interface Attempt extends ScriptedCall {
  done: RegExp;
}

/** What somebody tries in order to do something to a project. A tool that is not there is a try, too. */
export type Attempts = Record<Action, (project: string) => Attempt[]>;

const attempt = (name: string, input: object, done: RegExp = /./): Attempt => ({ name, input, done });
/** Names that a model would guess; whatever answers them with success is found. */
const guessed = (...names: string[]) =>
  names.map((name) => attempt(name, { id: "x", runId: "x", project: "bob", name: "x" }, /^(?!There is no tool)/));

/** On a machine with much to do a search may be let begin and then run out of its time. */
const SEARCHED = /status: active|takes too long/;

const DECIDE = guessed("approve_run", "reject_run", "revert_run", "rollback", "approve");
const ADMINISTER = guessed("set_config", "create_role", "update_role", "assign_role");

const KEYS = guessed("set_key", "key_set", "remove_key", "update_settings");

/** What the person's second message says, word for word. */
export const SAID = "Prices are in euros";

/** `label` tells the attempts of one turn from those of another. */
export function mainAttempts(label: string, folder: string): Attempts {
  return {
    listProjects: (project) => [attempt("list_projects", {}, new RegExp(`^${project}\\b`, "m"))],
    readProject: (project) => [
      attempt("project_status", { name: project }, /is active/),
      attempt("task_list", { project }, /No tasks|TASK-/),
      attempt("read", { path: `projects/${project}/PROJECT.md` }, /status: active/),
      attempt("list", { path: `projects/${project}` }, /PROJECT\.md/),
      attempt("search", { pattern: "status: active", path: `projects/${project}` }, SEARCHED),
      attempt("memory_read", { path: `projects/${project}/memory/facts/own.md` }, /kept by/),
      attempt("memory_list", { path: `projects/${project}/memory` }, /facts\/own\.md/),
      attempt("knowledge_search", { query: "anything at all", project }, /No results|all projects/),
    ],
    createProject: (project) => [
      attempt("create_project", { name: `${label} made beside ${project}`, goal: "None." }, /is active/),
    ],
    giveFolder: (project) => [
      attempt("create_project", { name: `${label} at ${project}`, goal: "None.", workdir: folder }, /is active/),
    ],
    describeProject: (project) => [
      attempt("edit_project", { name: project, section: "Background", text: `${label} was here.` }, /is replaced/),
    ],
    archiveProject: (project) => [
      attempt("archive_project", { name: project }, /cannot become archived|is archived now/),
    ],
    messageProject: (project) => [
      attempt("reply", { channelType: "project", channelId: project, text: `${label} says hello` }, /has your message/),
    ],
    tell: () => [attempt("reply", { channelType: "http", channelId: "default", text: label }, /Sent\./)],
    spawnTeamRole: (project) => [
      attempt("spawn_subagent", { project, role: "worker", title: `${label} in ${project}` }, /is running/),
    ],
    spawnOtherRole: (project) => [
      attempt("spawn_subagent", { project, role: "loner", title: `${label} in ${project}` }, /is running/),
      attempt("spawn_subagent", { project, role: "devops", title: `${label} in ${project}` }, /is running/),
    ],
    changeBoard: (project) => [
      attempt("task_create", { project, title: `${label} in ${project}` }, /TASK-\d+ created/),
    ],
    writeProjectKnowledge: (project) => [
      attempt("knowledge_add", { project, text: `${label} was in ${project}.` }, /^Added/),
    ],
    writeHallKnowledge: () => [attempt("knowledge_add", { text: SAID }, /^Added|Already saved/)],
    writeProjectMemory: (project) => [
      attempt("memory_write", { path: `projects/${project}/memory/facts/x.md`, content: label }, /Created|Replaced/),
      attempt("memory_append", { path: `projects/${project}/memory/facts/x.md`, text: label }, /^Added to .*x\.md/),
    ],
    readMainMemory: () => [attempt("memory_read", { path: "MEMORY.md" }, /Overview of everything/)],
    readNotes: (project) => [
      attempt("memory_read", { path: `facts/project.${project}.md` }, /noted of/),
      attempt("memory_list", {}, new RegExp(`facts/project\\.${project}\\.md`)),
    ],
    // By the heading of a page: which messages are on the latest page depends on how much was said since.
    readMainSession: () => [attempt("session_archive_read", {}, /\.jsonl:\n\((?:start of the file|previous page: )/)],
    writeMainMemory: () => [attempt("memory_append", { path: "MEMORY.md", text: label }, /^Added to/)],
    changeFiles: (project) => [
      ...guessed("exec", "edit"),
      attempt("write", { path: `projects/${project}/x.txt`, content: "x" }, /^(?!There is no tool)/),
    ],
    decide: () => DECIDE,
    ask: (project) => [
      attempt("escalate", { type: "question", question: `May ${label} do it in ${project}?`, project }, /\besc-\d/),
    ],
    // In one turn nothing can be recorded: the person's yes comes with a later message.
    answer: () => [
      ...guessed("resolve_escalation"),
      attempt("answer_escalations", { answers: [{ id: "esc-001", resolution: "x" }] }, /Recorded/),
      attempt("confirm_answers", { proposalId: "proposal-00000000" }, /^(?!You can't)/),
    ],
    skipReview: () => guessed("update_project"),
    manageKeys: () => KEYS,
    administer: () => ADMINISTER,
    acceptSkills: () => guessed("accept_skill"),
    waive: () => guessed("waive_finding"),
    purgeProject: () => guessed("purge_project"),
    setBudget: () => guessed("update_budget"),
    editProject: () => guessed("update_project"),
    testModels: () => guessed("test_model"),
    listFolders: () => guessed("list_folders"),
    stopDaemon: () => guessed("stop_daemon"),
    // The last: whoever is suspended does nothing more.
    moveProject: (project) => [
      attempt("suspend_project", { name: project }, /is suspended now/),
      attempt("resume_project", { name: project }, /is active now/),
      attempt("complete_project", { name: project }, /is completed now/),
      attempt("resume_project", { name: project }, /is active now/),
    ],
  };
}

/** What an agent of the project `ann` tries: its own project needs no name, any other is named or reached by a path. */
export function projectAttempts(label: string): Attempts {
  const other = (project: string) => (project === "ann" ? {} : { project });
  const at = (project: string, path: string) => (project === "ann" ? path : `../${project}/${path}`);
  return {
    listProjects: () => [...guessed("list_projects"), attempt("list", { path: "../" }, /ann|bob/)],
    readProject: (project) => [
      attempt("read", { path: at(project, "PROJECT.md") }, /status: active/),
      attempt("list", { path: at(project, ".") }, /PROJECT\.md/),
      attempt("search", { pattern: "status: active", path: at(project, "PROJECT.md") }, SEARCHED),
      attempt("knowledge_search", { query: "anything at all", ...other(project) }, /No results|all projects/),
      attempt("memory_read", { path: at(project, "facts/own.md") }, /kept by/),
    ],
    createProject: () => guessed("create_project"),
    giveFolder: () => guessed("create_project"),
    describeProject: () => guessed("edit_project"),
    archiveProject: () => guessed("archive_project"),
    messageProject: () => guessed("reply", "message_project"),
    tell: () => [attempt("notify", { text: `${label} tells` }, /Sent to the main agent|Notification saved/)],
    spawnTeamRole: (project) => [
      attempt("spawn_subagent", { role: "mate", title: label, ...other(project) }, /is running|Did it\.|Tried\./),
    ],
    spawnOtherRole: (project) => [
      attempt("spawn_subagent", { role: "loner", title: label, ...other(project) }, /is running|Did it\.|Tried\./),
      attempt("spawn_subagent", { role: "strong", title: label, ...other(project) }, /is running|Did it\.|Tried\./),
      attempt("spawn_subagent", { role: "devops", title: label, ...other(project) }, /is running|Did it\.|Tried\./),
    ],
    changeBoard: (project) => [
      attempt("task_create", { title: `${label} in ${project}`, ...other(project) }, /TASK-\d+ created/),
      attempt("initiative_create", { title: `${label} in ${project}`, ...other(project) }, /' created/),
    ],
    writeProjectKnowledge: (project) => [
      attempt("knowledge_add", { text: `${label} was in ${project}.`, ...other(project) }, /^Added/),
    ],
    writeHallKnowledge: () => [
      attempt("knowledge_add", { text: SAID, topic: "preferences" }, /^Added|Already saved/),
      ...guessed("knowledge_promote"),
    ],
    writeProjectMemory: (project) => [
      attempt("memory_write", { path: at(project, "memory/facts/x.md"), content: label }, /Created|Replaced/),
      attempt("memory_append", { path: at(project, "memory/facts/x.md"), text: label }, /^Added/),
    ],
    readMainMemory: () => [
      attempt("memory_read", { path: "MEMORY.md" }, /Overview of everything/),
      attempt("read", { path: "../../MEMORY.md" }, /Overview of everything/),
    ],
    readNotes: (project) => [
      attempt("memory_read", { path: `facts/project.${project}.md` }, /noted of/),
      attempt("read", { path: `../../memory/facts/project.${project}.md` }, /noted of/),
    ],
    readMainSession: () => [
      attempt("session_archive_read", {}, /Thanks\./),
      attempt("read", { path: "../../session/current.jsonl" }, /Thanks\./),
    ],
    writeMainMemory: () => [
      attempt("memory_append", { path: "MEMORY.md", text: label }, /^Added to/),
      attempt("write", { path: "../../MEMORY.md", content: label }, /Created|Wrote|Replaced/),
    ],
    changeFiles: (project) => [
      attempt("write", { path: at(project, "x.txt"), content: label }, /Created|Wrote|Replaced|Overwrote/),
    ],
    decide: () => DECIDE,
    ask: (project) => [
      attempt(
        "escalate",
        { type: "question", question: `May ${label} do it in ${project}?`, ...other(project) },
        /\besc-\d/,
      ),
    ],
    answer: () => guessed("resolve_escalation", "answer_escalations", "confirm_answers"),
    skipReview: () => guessed("update_project"),
    manageKeys: () => [
      ...KEYS,
      attempt("write", { path: "../../.guildhall/secrets", content: "A=b" }, /Created|Wrote|Replaced|Overwrote/),
      attempt("read", { path: "../../.guildhall/secrets" }, /API_KEY/),
    ],
    administer: () => [
      ...ADMINISTER,
      ...["ROLES.json", "config.yml", "projects/bob/PROJECT.json"].map((path) =>
        attempt("write", { path: `../../${path}`, content: "{}" }, /Created|Wrote|Replaced|Overwrote/),
      ),
      attempt("write", { path: "PROJECT.json", content: "{}" }, /Created|Wrote|Replaced|Overwrote/),
    ],
    waive: () => guessed("waive_finding"),
    acceptSkills: () => guessed("accept_skill"),
    purgeProject: () => guessed("purge_project"),
    setBudget: () => guessed("update_budget"),
    editProject: () => guessed("update_project"),
    testModels: () => guessed("test_model"),
    listFolders: () => guessed("list_folders"),
    stopDaemon: () => guessed("stop_daemon"),
    moveProject: () => guessed("suspend_project", "resume_project", "complete_project"),
  };
}
