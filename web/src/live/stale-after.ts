import type { QueryKey } from "@tanstack/react-query";
import type { HallEvent } from "../../../src/contract/event.ts";

/** What the page shows that an event makes untrue. */
export function staleAfter({
  type,
  subject,
  projectId,
}: Pick<HallEvent, "type" | "subject" | "projectId">): QueryKey[] {
  // Two runs changed the same file: no file of the workspace is concerned.
  const keys = type === "file.conflict" ? [["gates"]] : about(type.split(".")[0] ?? "", subject.id, projectId);
  // What waits for the person is in the inbox too.
  const isInInbox = keys.some(([what]) => what === "now");
  return [["events"], ...keys, ...(isInInbox ? IN_INBOX : [])];
}

const IN_INBOX: readonly QueryKey[] = [["escalations"], ["escalation"]];

function about(what: string, id: string, projectId: string | undefined): QueryKey[] {
  const project: QueryKey[] = projectId === undefined ? [] : [["project", projectId]];
  switch (what) {
    case "task":
      // Cards are changed one by one: a board may have ten thousand. Other tasks may have waited for this one.
      return [["now"], ["projects"], ...project, ["task", projectId], ["preview"]];
    case "run":
    case "runs":
      return [...ABOUT_RUNS, ["run", id], ...project];
    case "project":
      return [["now"], ["projects"], ["welcome"], ["budget"], ["project", id], ["preview"], ["triggers"]];
    case "workdir":
      return [["now"], ["problems"], ["doctor"], ["skills"], ["project", id]];
    case "assignment":
      return [["projects"], ["roles"], ["preview"], ...project];
    case "role":
      return [["roles"], ["role", id], ["role-preview"], ["preview"]];
    case "skill":
    case "instructions":
      return [["now"], ["skills"], ["instructions"], ["preview"]];
    case "budget":
    case "provider":
      return [["now"], ["budget"], ["models"], ["provider-models"], ["settings"], ["doctor"], ["welcome"]];
    case "settings":
      return [
        ["now"],
        ["budget"],
        ["models"],
        ["settings"],
        ["problems"],
        ["doctor"],
        ["welcome"],
        ["hooks"],
        ["orchestrator"],
      ];
    case "document":
    case "memory":
    case "initiative":
      return [...project, ["documents", projectId], ["memory"], ["knowledge"], ["skills"], ["costs"]];
    case "lead":
      return [["orchestrator"], ["projects"], ["now"], ...project, ["costs"], ["budget"]];
    case "escalation":
      return [["now"], ["knowledge"], ["task", projectId], ...project];
    case "gate":
      return [["now"], ["gates"], ["gate", id]];
    case "review":
      // Of a run's result: what it waits for, and its task.
      return [["now"], ["runs"], ["run"], ["gates"], ["task", projectId], ...project];
    case "team":
      return [["now"], ["teams"], ["team", id], ...project];
    case "integration":
      return [["integration"]];
    case "grant":
    case "permission":
      return [["grants"]];
    case "hook":
      return [["now"], ["problems"], ["hooks"]];
    case "orchestrator":
      return [["orchestrator"], ["projects"], ["now"]];
    case "trigger":
      return [["triggers"], ["now"], ["problems"]];
    case "rule":
      return [["rules"]];
    case "checkpoint":
      return [["checkpoints", projectId]];
    case "device":
      return [["devices"]];
    case "notification":
      return [["doctor"]];
    case "file":
      return [...ANYTHING_IN_A_FILE, ["cards", projectId], ["task", projectId], ...project];
    default:
      return [["now"], ["status"], ["problems"], ["settings"], ["doctor"]];
  }
}

const ABOUT_RUNS: readonly QueryKey[] = [
  ["now"],
  ["runs"],
  ["costs"],
  ["budget"],
  ["triggers"],
  ["checkpoints"],
  ["preview"],
  ["instructions"],
];

/** A file that cannot be read, or can be again, may hold any of these. */
const ANYTHING_IN_A_FILE: readonly QueryKey[] = [
  ["now"],
  ["problems"],
  ["settings"],
  ["doctor"],
  ["projects"],
  ["roles"],
  ["role"],
  ["budget"],
  ["skills"],
  ["hooks"],
  ["triggers"],
];
