import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded } from "../../ui/states.tsx";
import { Conversation } from "./conversation.tsx";
import { SessionView } from "./session-view.tsx";
import { projectPlace } from "./talk-place.ts";

const SUGGESTIONS = [
  { title: "Get a status", text: "What's the project's status, and what comes next?" },
  { title: "Plan something", text: "Plan the next milestone and add its tasks to the board." },
  { title: "Work on the board", text: "Start the most urgent ready task with the right role." },
];

/** The tab in which the person speaks with a project's agent, and sees what it was told, thought, did and said. */
export default function ProjectTalk() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { view } = useSearch({ strict: false });
  const project = useQuery(queries.project(id));
  const isSession = view === "session";
  return (
    <div className="flex flex-col gap-3">
      <nav aria-label="Talk" className="flex gap-1">
        <Tab id={id} isCurrent={!isSession} name="Messages" />
        <Tab id={id} isCurrent={isSession} view="session" name="Agent log" />
      </nav>
      {isSession ? (
        <SessionView projectId={id} />
      ) : (
        <Loaded query={project}>
          {({ project: { name, status } }) => <Talk key={id} id={id} name={name} status={status} />}
        </Loaded>
      )}
    </div>
  );
}

function Tab({ id, name, view, isCurrent }: { id: string; name: string; view?: string; isCurrent: boolean }) {
  return (
    <Link
      to="/projects/$id/talk"
      params={{ id }}
      search={view === undefined ? {} : { view }}
      replace
      aria-current={isCurrent ? "page" : undefined}
      className={`rounded-md px-2.5 py-1 text-sm ${isCurrent ? "bg-accent-soft font-medium text-accent" : "text-faint hover:bg-sunk hover:text-ink"}`}
    >
      {name}
    </Link>
  );
}

function Talk({ id, name, status }: { id: string; name: string; status: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const place = useMemo(() => projectPlace(id, name), [id, name]);
  return (
    <div className="flex h-[calc(100dvh-21.5rem)] min-h-80 md:h-[calc(100dvh-13rem)] flex-col overflow-hidden rounded-lg border border-line bg-card">
      <Conversation
        place={place}
        field={field}
        label={`Message ${name}'s agent`}
        welcome="It knows the project's board, memory and files. It plans, starts agents on tasks and reports their results."
        suggestions={SUGGESTIONS}
        {...(status === "active" ? {} : { instead: <NobodyListens id={id} status={status} /> })}
      />
    </div>
  );
}

const closed: Record<string, { why: string; button?: string }> = {
  suspended: {
    why: "This project is suspended. Its agent doesn't answer, and no runs start.",
    button: "Resume project",
  },
  completed: { why: "This project is completed. Its agent doesn't answer.", button: "Reopen project" },
  archived: { why: "This project is archived. You can still read earlier messages." },
};

function NobodyListens({ id, status }: { id: string; status: string }) {
  const resume = useAct("moveProject", { done: "Resumed." });
  const { why, button } = closed[status] ?? { why: `This project is ${status}.` };
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-warn-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-60 text-sm">{why}</p>
      {button !== undefined && (
        <Button
          kind="primary"
          busy={resume.isPending}
          onClick={() => resume.mutate({ params: { id }, body: { status: "active" } })}
        >
          {button}
        </Button>
      )}
    </div>
  );
}
