import { Link, linkOptions } from "@tanstack/react-router";
import {
  ChevronRight,
  CircleDollarSign,
  FileText,
  FolderKanban,
  History,
  House,
  Inbox,
  type LucideIcon,
  PlayCircle,
  SquareCheck,
  TriangleAlert,
  Users,
  Workflow,
} from "lucide-react";
import { useContext, useState } from "react";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { eventChanges, eventWords } from "../../../../src/contract/words/event-words.ts";
import { ProjectName } from "../../ui/project-name.tsx";
import { NamesOfEvents } from "./event-names.ts";

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const icons: Record<string, LucideIcon> = {
  task: SquareCheck,
  run: PlayCircle,
  runs: PlayCircle,
  project: FolderKanban,
  assignment: Users,
  role: Users,
  escalation: Inbox,
  document: FileText,
  initiative: FileText,
  memory: FileText,
  budget: CircleDollarSign,
  provider: CircleDollarSign,
  checkpoint: History,
  file: TriangleAlert,
  team: Workflow,
};

/** One event in one sentence; what exactly it changed is folded. */
export function EventRow({ event, showProject = true }: { event: HallEvent; showProject?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const Icon = icons[event.type.split(".")[0] ?? ""] ?? House;
  return (
    <div className="border-b border-line text-sm">
      <div className="flex items-start gap-2 py-1.5">
        <button
          type="button"
          data-row
          aria-expanded={isOpen}
          aria-label={`Details of event ${event.seq}`}
          onClick={() => setOpen(!isOpen)}
          className="flex size-6 shrink-0 items-center justify-center rounded text-faint hover:bg-sunk"
        >
          <ChevronRight size={14} aria-hidden className={isOpen ? "rotate-90" : ""} />
        </button>
        <Icon size={14} aria-hidden className="mt-1.5 shrink-0 text-faint" />
        <Sentence event={event} showProject={showProject} />
        <time
          dateTime={event.at}
          title={exact.format(new Date(event.at))}
          className="mt-1 shrink-0 text-xs text-faint tabular-nums"
        >
          {time.format(new Date(event.at))}
        </time>
      </div>
      {isOpen && <Details event={event} />}
    </div>
  );
}

function Sentence({ event, showProject }: { event: HallEvent; showProject: boolean }) {
  const { who, did, name, more } = eventWords(event, useContext(NamesOfEvents));
  const { projectId, subject } = event;
  return (
    <p className="min-w-0 flex-1 pt-0.5">
      {who !== "" && <span className="font-medium">{who} </span>}
      {did !== "" && `${did} `}
      {name !== undefined && <SubjectLink event={event} name={name} />} {more !== "" && <bdi>{more}</bdi>}
      {showProject && projectId !== undefined && subject.id !== projectId && (
        <span className="text-faint">
          {" "}
          in{" "}
          <Link to="/projects/$id" params={{ id: projectId }} className="hover:underline">
            <ProjectName id={projectId} />
          </Link>
        </span>
      )}
    </p>
  );
}

function SubjectLink({ event, name }: { event: HallEvent; name: string }) {
  const place = placeOfEvent(event);
  if (place === undefined) return <bdi className="font-medium">{name}</bdi>;
  return (
    <Link {...place} className="font-medium text-accent hover:underline">
      <bdi>{name}</bdi>
    </Link>
  );
}

/** The page of what an event is about; undefined for what has none, or is gone. */
function placeOfEvent({ type, subject: { kind, id }, projectId, before, after }: HallEvent) {
  if (type.endsWith(".removed") || type.endsWith(".deleted")) return undefined;
  if (kind === "run") return linkOptions({ to: "/runs/$runId", params: { runId: id } });
  if (kind === "role") return linkOptions({ to: "/roles/$roleId", params: { roleId: id } });
  if (kind === "team") return linkOptions({ to: "/teams/$teamId", params: { teamId: id } });
  if (kind === "escalation") return linkOptions({ to: "/inbox", search: { id } });
  if (kind === "project") return linkOptions({ to: "/projects/$id", params: { id } });
  if (projectId === undefined) return undefined;
  const params = { id: projectId };
  const roleId = after?.roleId ?? before?.roleId;
  if (kind === "task") return linkOptions({ to: "/projects/$id/board", params, search: { task: id } });
  if (kind === "assignment" && typeof roleId === "string")
    return linkOptions({ to: "/roles/$roleId", params: { roleId } });
  if (kind === "skill") return linkOptions({ to: "/projects/$id/library/skills", params });
  if (kind !== "document") return undefined;
  if (id.startsWith("ARTIFACTS/"))
    return linkOptions({ to: "/projects/$id/library/artifacts", params, search: { view: id } });
  if (id.startsWith("CONTEXT/"))
    return linkOptions({ to: "/projects/$id/library/context", params, search: { view: id } });
  if (id.startsWith("knowledge/")) return linkOptions({ to: "/projects/$id/library/knowledge", params });
  return id.startsWith("memory/")
    ? linkOptions({ to: "/projects/$id/library/memory", params, search: { view: id.slice("memory/".length) } })
    : undefined;
}

function Details({ event }: { event: HallEvent }) {
  const changes = eventChanges(event);
  const { seq, type, actor, file, why, hash, at } = event;
  const facts = [
    ["Event", `${seq}, ${type}`],
    ["When", exact.format(new Date(at))],
    ["By", `${actor.id ?? actor.kind} via ${actor.via}`],
    ...(why === undefined ? [] : [["Why", why]]),
    ...(file === undefined ? [] : [["File", file]]),
    ["Hash", hash],
  ] as const;
  return (
    <div className="mb-2 ml-8 flex flex-col gap-3 rounded-md border border-line bg-sunk px-3 py-2 text-xs">
      {changes.length > 0 && (
        <dl className="flex flex-col gap-1">
          {changes.map(({ field, from, to }) => (
            <div key={field} className="flex flex-wrap gap-x-2">
              <dt className="w-28 shrink-0 text-faint">{field}</dt>
              <dd className="min-w-0 flex-1 basis-48">
                {from !== "" && (
                  <>
                    <bdi className="text-bad">{from}</bdi>
                    <span className="text-faint"> → </span>
                  </>
                )}
                <bdi>{to === "" ? "none" : to}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <dl className="flex flex-col gap-1">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-2">
            <dt className="w-28 shrink-0 text-faint">{name}</dt>
            <dd className="min-w-0 flex-1 basis-48 font-mono">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
