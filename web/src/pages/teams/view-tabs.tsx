import { Link } from "@tanstack/react-router";
import {
  Activity,
  BookUser,
  CircleDollarSign,
  FileCheck,
  ListTodo,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  ShieldCheck,
  Users,
} from "lucide-react";
import { useEffect, useRef } from "react";
import type { Team } from "../../../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../../../src/contract/words/teams/team-words.ts";
import { countText } from "../../ui/figures.tsx";
import { totalOf } from "./team-model.ts";

export const VIEWS = [
  { name: "team", title: "Team", icon: Users },
  { name: "plan", title: "Tasks", icon: ListTodo },
  { name: "spec", title: "Spec", icon: ScrollText },
  { name: "gates", title: "Gates", icon: ShieldCheck },
  { name: "cost", title: "Cost", icon: CircleDollarSign },
  { name: "timeline", title: "Timeline", icon: Activity },
  { name: "report", title: "Report", icon: FileCheck },
  { name: "messages", title: "Messages", icon: MessagesSquare },
  { name: "role-specs", title: "Role-specs", icon: BookUser },
] as const satisfies readonly { name: string; title: string; icon: LucideIcon }[];
export type ViewName = (typeof VIEWS)[number]["name"];

export function namedView(wanted: string | undefined): ViewName | undefined {
  return VIEWS.find(({ name }) => name === wanted)?.name;
}

/** What the person most likely came for, where the address names none. */
export function firstView({ status }: Team): ViewName {
  return hasEnded(status) || status === "delivering" ? "report" : "team";
}

export function ViewTabs({ team, view }: { team: Team; view: ViewName }) {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tab that is open is another one when the view is
  useEffect(() => {
    const open = strip.current?.querySelector<HTMLElement>("[aria-current=page]");
    // Not by scrollIntoView, which would move the page, too.
    if (open != null) strip.current?.scrollTo({ left: open.offsetLeft - 40 });
  }, [view]);
  return (
    <div className="sticky top-0 z-20 border-b border-line bg-paper max-md:top-11">
      <nav ref={strip} aria-label="Team views" className="relative flex gap-1 overflow-x-auto">
        {VIEWS.map(({ name, title, icon: Icon }, at) => (
          <Link
            key={name}
            to="."
            search={{ view: name }}
            replace
            resetScroll={false}
            title={`Press ${at + 1}`}
            aria-current={name === view ? "page" : undefined}
            className={`flex h-10 shrink-0 items-center gap-1.5 border-b-2 px-2.5 text-sm ${name === view ? "border-accent font-medium text-ink" : "border-transparent text-faint hover:text-ink"}`}
          >
            <Icon size={14} aria-hidden className="max-sm:hidden" />
            {title}
            <Count of={countOf(team, name)} />
          </Link>
        ))}
      </nav>
    </div>
  );
}

function Count({ of }: { of: string | undefined }) {
  if (of === undefined) return null;
  return <span className="rounded-full bg-sunk px-1.5 text-xs text-faint tabular-nums">{of}</span>;
}

function countOf({ tasks, requirements }: Team, name: ViewName): string | undefined {
  if (name === "plan" && totalOf(tasks) > 0) return countText(totalOf(tasks));
  if (name === "spec" && requirements.total > 0) return `${requirements.met}/${requirements.total}`;
  return undefined;
}
