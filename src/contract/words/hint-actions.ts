/**
 * What a hint may name. `command` is one of this program, without its name; `limit` an option of `budget`; `workspace` a folder
 * that is not the usual one, as a shell reads it.
 */
export const HINT_ARGS = [
  "run",
  "project",
  "task",
  "provider",
  "role",
  "skill",
  "template",
  "path",
  "branch",
  "target",
  "commit",
  "command",
  "limit",
  "amount",
  "workspace",
  "text",
  "provider",
] as const;
export type HintArgs = { [Name in (typeof HINT_ARGS)[number]]?: string };

/** A command in a hint: one of this program, or a line of another one. */
export type HintCommand = { hall: string } | { shell: string };
export type HintPart = string | HintCommand;

export interface HintWords {
  parts: HintPart[];
  /** Where the dashboard does or shows the same. */
  page?: { path: string; label: string; search?: Record<string, string> } | undefined;
}

type Row = (args: HintArgs) => HintWords;

const hall = (words: string): HintCommand => ({ hall: words });
const shell = (line: string): HintCommand => ({ shell: line });

function say(texts: TemplateStringsArray, ...values: HintPart[]): HintPart[] {
  return texts.flatMap((text, at) => [text, values[at] ?? ""]).filter((part) => part !== "");
}

function ofRun(run: string | undefined, label = "Open the run", search = {}): HintWords["page"] {
  return run === undefined ? undefined : { path: `/runs/${encodeURIComponent(run)}`, label, search };
}

function ofProject(project: string | undefined, label: string, tab = ""): HintWords["page"] {
  return project === undefined ? undefined : { path: `/projects/${encodeURIComponent(project)}${tab}`, label };
}

const inWorkspace = (words: string, workspace: string | undefined) =>
  hall(workspace === undefined ? words : `${words} --workspace ${workspace}`);

const inProject = (project: string | undefined) => (project === undefined ? "" : ` -p ${project}`);

const RUN = "<run>";
const PROJECT = "<project>";

/** What a person can do next: a sentence with its commands, and the page that does the same. Absent args are named in brackets. */
export const HINT_ACTIONS = {
  /** Advice without a command. */
  advice: ({ text = "" }) => ({ parts: [text] }),

  "device-list": () => ({ parts: say`List the paired devices with ${hall("device list")}.` }),
  "browser-link": () => ({ parts: say`Run ${hall("open")} for a new link.` }),
  "daemon-start": ({ workspace }) => ({ parts: say`Start it with ${inWorkspace("up", workspace)}.` }),
  "daemon-start-checks": ({ workspace }) => ({
    parts: say`To have the files checked as well, start it with ${inWorkspace("up", workspace)}.`,
  }),
  "workspace-init": ({ workspace }) => ({
    parts: say`There is no workspace yet. Set it up with ${inWorkspace("init", workspace)}, or start it with ${inWorkspace("up", workspace)}.`,
  }),
  "daemon-start-again": () => ({
    parts: say`Another program may be using its port. Restart the daemon with ${hall("up")}.`,
  }),
  "daemon-stop": () => ({ parts: say`Stop the other daemon with ${hall("down")}, or use another --workspace.` }),
  "daemon-stop-first": ({ workspace }) => ({
    parts: say`Stop it with ${inWorkspace("down", workspace)}, then install the service.`,
  }),
  "service-foreground": ({ text = "" }) => ({ parts: say`${text} ${hall("up --no-open")}.` }),
  "service-log": ({ text = "", path = "" }) => ({ parts: say`Read its log with ${shell(text)}. The unit is ${path}.` }),
  "daemon-creates": ({ workspace }) => ({ parts: say`${inWorkspace("up", workspace)} creates it.` }),
  "daemon-verify": () => ({
    parts: say`Before you retry, check with ${hall("status")} whether it is running and whether the change was made.`,
  }),
  "hall-address": () => ({ parts: say`Use the address shown by ${hall("status")}.` }),
  "command-help": ({ command = "", text = "" }) => ({ parts: say`${text}See ${hall(`${command} --help`.trim())}.` }),
  "option-place": ({ command = "" }) => ({ parts: say`Put it after the command: ${hall(`${command} …`)}.` }),
  "command-options": ({ command = "" }) => ({
    parts: say`Set at least one option; see ${hall(`${command} --help`)}.`,
  }),
  "command-text": ({ command = "" }) => ({
    parts: say`Pass it: ${hall(`${command} "How are things?"`)}. Or pipe it in, or run the command in a terminal to chat.`,
  }),
  "command-plain": ({ command = "" }) => ({ parts: say`Run ${hall(command)} without --workspace.` }),
  doctor: () => ({
    parts: say`Run ${hall("doctor")} for details.`,
    page: { path: "/settings", label: "Open the setup check" },
  }),
  "doctor-models": () => ({
    parts: say`${hall("doctor")} lists the providers and playbooks found.`,
    page: { path: "/settings", label: "Open providers" },
  }),
  "doctor-repository": () => ({
    parts: say`Repair the repository. ${hall("doctor")} shows what is damaged and how to fix it.`,
    page: { path: "/settings", label: "Check repository" },
  }),
  "key-update": ({ provider = "<provider>" }) => ({
    parts: say`Update it with ${hall(`key set ${provider}`)}.`,
    page: { path: "/settings", label: "Update key", search: { section: "models", provider } },
  }),
  "provider-check": ({ provider = "" }) => ({
    parts: say`${hall("doctor")} checks the providers.`,
    page: { path: "/settings", label: "Check provider", search: { section: "models", provider } },
  }),
  "index-rebuild": () => ({
    parts: say`No documents are lost. Check the workspace's disk; ${hall("index rebuild")} creates a new index.`,
  }),

  "role-list": () => ({
    parts: say`List the roles with ${hall("role list")}.`,
    page: { path: "/roles", label: "All roles" },
  }),
  "role-templates": () => ({ parts: say`List the templates with ${hall("role templates")}.` }),
  "role-from-template": ({ template = "<template>" }) => ({
    parts: say`A template has that name. Create a role from it with ${hall(`role create --template ${template}`)}.`,
  }),
  "role-create-help": () => ({
    parts: say`Pass --template, --name or --file; see ${hall("role create --help")}.`,
  }),
  "role-suggest-task": () => ({
    parts: say`Describe the work, or name a task: ${hall("role suggest --task TASK -p PROJECT")}.`,
  }),
  "role-assign": ({ role = "<role>", project = PROJECT }) => ({
    parts: say`Ask the person to assign it: ${hall(`role assign ${role} -p ${project}`)}, or Team on the project's page.`,
  }),
  "role-unassign": ({ role = "<role>", project }) => ({
    parts: say`Unassign it first with ${hall(`role unassign ${role} -p ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Unassign it on the team page", "/team"),
  }),
  "role-resume": ({ role = "<role>", project }) => ({
    parts: say`Resume it with ${hall(`role resume ${role} -p ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Resume it on the team page", "/team"),
  }),

  "project-list": () => ({
    parts: say`List the projects with ${hall("project list")}.`,
    page: { path: "/projects", label: "All projects" },
  }),
  "project-templates": () => ({ parts: say`List them with ${hall("project templates")}.` }),
  "project-show": ({ project }) => ({
    parts: say`Check it with ${hall(`project show ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Open project"),
  }),
  "project-files": ({ project }) => ({
    parts: say`List the project's files with ${hall(`project show ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Open the project"),
  }),
  "project-team": ({ project }) => ({
    parts: say`List the team with ${hall(`project team ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "See the team", "/team"),
  }),
  "project-first-commit": ({ project = PROJECT }) => ({
    parts: say`Create the first commit with ${hall(`project first-commit ${project}`)}.`,
  }),
  "project-resume": ({ project }) => ({
    parts: say`Resume it with ${hall(`project resume ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Open the project"),
  }),
  "project-reopen": ({ project }) => ({
    parts: say`Reopen a completed project with ${hall(`project reopen ${project ?? PROJECT}`)}; an archived one is final.`,
    page: ofProject(project, "Open the project"),
  }),
  "project-workdir": ({ project }) => ({
    parts: say`Create the folder, or name another with ${hall(`project edit ${project ?? PROJECT} --workdir <folder>`)}.`,
    page: ofProject(project, "Project settings", "/settings"),
  }),
  "project-folder": ({ project }) => ({
    parts: say`Check it with ${hall(`project folder ${project ?? PROJECT}`)}, then confirm it.`,
    page: ofProject(project, "Check folder", "/settings"),
  }),

  "escalation-list": () => ({
    parts: say`Open escalations: ${hall("escalation list")}.`,
    page: { path: "/inbox", label: "Open the inbox" },
  }),
  "escalation-answer": ({ text = "<id>" }) => ({
    parts: say`Answer it with ${hall(`escalation answer ${text}`)}.`,
    page: { path: "/inbox", label: "Answer", search: { id: text } },
  }),
  "escalation-show": ({ text = "<id>" }) => ({
    parts: say`Check it again with ${hall(`escalation show ${text}`)}.`,
    page: { path: "/inbox", label: "Open the inbox", search: { id: text } },
  }),
  "worktree-setup": ({ project = PROJECT }) => ({
    parts: say`Change them with ${hall(`project edit ${project} --setup COMMAND`)}.`,
    page: ofProject(project, "Open the settings", "/settings"),
  }),
  "team-watch": ({ text = "<id>" }) => ({ parts: say`Watch again: ${hall(`team watch ${text}`)}.` }),
  "orchestrator-budget": ({ amount = "<amount>" }) => ({
    parts: say`Raise it with ${hall(`config set orchestrator.dailyUsd ${amount}`)}.`,
    page: { path: "/settings", label: "Open settings" },
  }),
  "team-budget-raise": ({ text = "<id>", amount = "<amount>" }) => ({
    parts: say`Raise it with ${hall(`team budget ${text} ${amount}`)}.`,
    page: { path: `/teams/${encodeURIComponent(text)}`, label: "Raise budget", search: { view: "cost" } },
  }),
  "team-messages": () => ({ parts: say`Messages: ${hall("team messages <id>")}.` }),
  "initiative-list": ({ project }) => ({
    parts: say`Initiatives: ${hall(`initiative list -p ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "Open the project"),
  }),
  "orchestrator-show": () => ({ parts: say`The orchestrator: ${hall("orchestrator show")}.` }),
  "trigger-list": () => ({ parts: say`Triggers: ${hall("trigger list")}.` }),
  "team-list": () => ({ parts: say`Teams: ${hall("team list")}.` }),
  "gate-list": ({ project }) => ({
    parts: say`Gate reports: ${hall(`gate list -p ${project ?? PROJECT}`)}.`,
  }),
  "grant-list": () => ({
    parts: say`Open permissions: ${hall("grant list")}.`,
    page: { path: "/settings/permissions", label: "Open Permissions" },
  }),
  "grant-revoke": () => ({ parts: say`To end what it allowed: ${hall("grant revoke ID")}.` }),
  "rule-list": () => ({
    parts: say`Answer rules: ${hall("rule list")}.`,
    page: { path: "/inbox", label: "Open the inbox" },
  }),
  "hook-show": ({ text = "<name>" }) => ({
    parts: say`Review its content again: ${hall(`hook show ${text}`)}.`,
    page: { path: "/settings/hooks", label: "Open Hooks" },
  }),
  "hook-list": () => ({
    parts: say`Hooks: ${hall("hook list")}.`,
    page: { path: "/settings/hooks", label: "Open Hooks" },
  }),
  "task-list": ({ project }) => ({
    parts: say`List the tasks with ${hall(`task list -p ${project ?? PROJECT}`)}.`,
    page: ofProject(project, "See the board", "/board"),
  }),
  "task-edit": ({ task = "<task>", project }) => ({
    parts: say`Edit it with ${hall(`task edit ${task} -p ${project ?? PROJECT}`)}.`,
    page:
      project === undefined
        ? undefined
        : {
            path: `/projects/${encodeURIComponent(project)}/board`,
            label: "Edit task",
            search: { task, edit: "description" },
          },
  }),
  "task-criteria": ({ text = "" }) => ({ parts: say`${text}; ${hall("task show")} numbers them.` }),
  "task-edit-first": () => ({ parts: say`Change it first with ${hall("task edit")}, or leave out --task.` }),
  "memory-list": () => ({
    parts: say`List them with ${hall("memory list")}, and those of a project with -p ${PROJECT}.`,
  }),
  "knowledge-list": () => ({
    parts: say`List the statements with ${hall("knowledge list")}.`,
    page: { path: "/knowledge", label: "All statements" },
  }),
  "checkpoint-list": ({ project = PROJECT }) => ({
    parts: say`List them with ${hall(`checkpoint list -p ${project}`)}.`,
  }),
  "skill-list": () => ({
    parts: say`List them with ${hall("skill list")}, and those of a project with -p ${PROJECT}.`,
  }),
  "skill-show": ({ skill = "<skill>", project }) => ({
    parts: say`Check it again with ${hall(`skill show ${skill}${inProject(project)}`)}.`,
    page: ofProject(project, "Check it again", "/skills"),
  }),
  "skill-accept": ({ skill = "<skill>" }) => ({
    parts: say`The person can accept it with ${hall(`skill accept ${skill}`)}.`,
  }),
  "instructions-show": ({ path = "<file>", project }) => ({
    parts: say`Check it again with ${hall(`instructions show ${path}${inProject(project)}`)}.`,
    page: ofProject(project, "Check it again", "/skills"),
  }),
  "instructions-list": ({ project }) => ({
    parts: say`List them with ${hall(`instructions list${inProject(project)}`)}.`,
    page: ofProject(project, "See the instructions", "/skills"),
  }),

  "run-list": () => ({
    parts: say`List the runs with ${hall("run list")}.`,
    page: { path: "/runs", label: "All runs" },
  }),
  "run-retry": ({ run }) => ({ parts: say`Retry it with ${hall(`run retry ${run ?? RUN}`)}.`, page: ofRun(run) }),
  "run-cancel": ({ run }) => ({
    parts: say`Wait for that run, or stop it with ${hall(`run stop ${run ?? RUN}`)}.`,
    page: ofRun(run),
  }),
  "run-watch": ({ run }) => ({
    parts: say`Follow it with ${hall(`run logs -f ${run ?? RUN}`)}.`,
    page: ofRun(run),
  }),
  "run-follow-again": ({ run = RUN, workspace }) => ({
    parts: say`The run continues when the daemon is running again. Start it with ${inWorkspace("up", workspace)}, then follow the run with ${inWorkspace(`run logs -f ${run}`, workspace)}.`,
  }),
  "run-diff": ({ run }) => ({
    parts: say`Check it again with ${hall(`run diff ${run ?? RUN}`)}.`,
    page: ofRun(run, "See the changes", { view: "changes" }),
  }),
  "run-diff-hash": ({ run = RUN }) => ({
    parts: say`Review it with ${hall(`run diff ${run}`)}, then pass its hash with --hash.`,
  }),
  "run-revert": ({ run }) => ({ parts: say`Revert it with ${hall(`run revert ${run ?? RUN}`)}.`, page: ofRun(run) }),
  "run-revert-merged": () => ({ parts: say`${hall("run revert")} reverts a merged result with a commit.` }),
  "run-unwanted": ({ run }) => ({
    parts: say`Discard it with ${hall(`run discard ${run ?? RUN}`)}.`,
    page: ofRun(run),
  }),
  "run-decide": ({ run = RUN }) => ({
    parts: say`Use ${hall(`run approve ${run}`)}, ${hall(`run request-changes ${run}`)} or ${hall(`run discard ${run}`)}.`,
  }),
  "merge-by-hand": ({ run = RUN, branch = "<branch>", target = "<target>" }) => ({
    parts: say`Merge it yourself with ${shell(`git merge ${branch}`)} on ${target}, then approve it again; or request changes with ${hall(`run request-changes ${run}`)}.`,
  }),
  /** `text`: which parent of a merge commit stays. */
  "revert-by-hand": ({ commit = "<commit>", target = "<target>", text = "" }) => ({
    parts: say`Revert it yourself with ${shell(`git revert ${text}${commit}`)} on ${target}.`,
  }),
  "budget-raise": ({ project, limit = "--day-usd", amount = "<amount>" }) => ({
    parts: say`Raise it with ${hall(`budget${inProject(project)} ${limit} ${amount}`)}.`,
    page: {
      path: "/costs",
      label: "Raise limit",
      search: { edit: "limits", ...(project === undefined ? {} : { project }) },
    },
  }),
  "daemon-restart-by-hand": () => ({ parts: say`Stop it with ${hall("down")}, then start it with ${hall("up")}.` }),
  "provider-key": ({ provider = "<provider>" }) => ({
    parts: say`Update the key with ${hall(`key set ${provider}`)}.`,
    page: { path: "/settings", label: "Update key", search: { section: "models", provider } },
  }),
  "provider-add": () => ({
    parts: say`Add an API key with ${hall("key set NAME")}, or start Ollama.`,
    page: { path: "/settings", label: "Add a key", search: { section: "models" } },
  }),
  "model-choose": ({ text = "provider/model" }) => ({
    parts: say`Choose a default model with ${hall(`config set models.default ${text}`)}.`,
    page: { path: "/settings", label: "Choose a model", search: { section: "models" } },
  }),
  "provider-list": () => ({
    parts: say`See the providers with ${hall("key list")}.`,
    page: { path: "/settings", label: "See the providers", search: { section: "models" } },
  }),
} as const satisfies Record<string, Row>;
