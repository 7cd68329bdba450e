import type { IsShown } from "../../agent/session-talk.ts";
import type { SessionMessage } from "../../contract/runs/session.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Caller } from "../../workspace/rights.ts";
import { projectsNamed } from "../named-projects.ts";

const PAGE = 1_000;

type Projects = { projects: Pick<Hall["projects"], "list"> };

/** The project whose words a message brings to the main agent, by the channel or by what the daemon noted. */
function projectBehind({ channel, project }: Pick<SessionMessage, "channel" | "project">): string | undefined {
  return channel.type === "project" ? channel.id : project;
}

/** Whether the person wrote it: what they forward, others wrote. */
export function isOfPerson({ from, forwarded }: Pick<SessionMessage, "from" | "forwarded">): boolean {
  return from === "person" && forwarded !== true;
}

/**
 * For whom the main agent acts while it answers a message. `made`: the projects it made in this very turn. What stands in
 * its earlier turns has no say: only the message that it answers does.
 */
export function mainCaller(message: SessionMessage, hall: Projects, made: ReadonlySet<string>): Caller {
  if (isOfPerson(message)) {
    const projects = allProjects(hall);
    const open = projects.filter(({ status }) => status !== "archived");
    // A project that the message named before it was there is none that the person meant.
    const named = projectsNamed(message.text, projects);
    for (const id of made) named.delete(id);
    return { kind: "mainForPerson", named, made, only: open.length === 1 ? open[0]?.id : undefined };
  }
  const project = message.from === "person" ? undefined : projectBehind(message);
  return project === undefined ? { kind: "mainForOthers" } : { kind: "mainForProject", project };
}

/**
 * Which of its earlier turns the main agent is shown while it answers a message. A project's turn shows what that project
 * said and what the person asked: the words of one project stand in no turn of another.
 */
export function shownTo(message: SessionMessage): IsShown | undefined {
  if (isOfPerson(message)) return undefined;
  const project = message.from === "person" ? undefined : projectBehind(message);
  return (earlier) => {
    if (isOfPerson(earlier)) return message.root !== undefined && earlier.root === message.root;
    return project !== undefined && earlier.from !== "person" && projectBehind(earlier) === project;
  };
}

function allProjects(hall: Projects) {
  const all = [];
  let cursor: string | undefined;
  do {
    const page = hall.projects.list({ limit: PAGE, cursor });
    all.push(...page.projects);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
