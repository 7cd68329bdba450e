import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  Activity,
  BookOpen,
  CircleDollarSign,
  Ellipsis,
  FolderKanban,
  House,
  Inbox,
  type LucideIcon,
  MessageCircle,
  Monitor,
  Moon,
  PlayCircle,
  Search,
  Settings,
  Sun,
  Users,
  Workflow,
} from "lucide-react";
import { queries } from "../api/queries.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { needsWords } from "../ui/needs-words.ts";
import { showPanel } from "./panels.ts";
import { keyCaps, type ShortcutKey } from "./shortcuts.ts";
import { chooseTheme, type Theme, useTheme } from "./theme.ts";

interface Place {
  to: string;
  name: string;
  icon: LucideIcon;
  keys?: ShortcutKey;
}

const INBOX = "/inbox";

export const PLACES: readonly Place[] = [
  { to: "/", name: "Now", icon: House, keys: "g n" },
  { to: INBOX, name: "Inbox", icon: Inbox, keys: "g i" },
  { to: "/projects", name: "Projects", icon: FolderKanban, keys: "g p" },
  { to: "/teams", name: "Teams", icon: Workflow, keys: "g t" },
  { to: "/runs", name: "Runs", icon: PlayCircle, keys: "g u" },
  { to: "/roles", name: "Roles", icon: Users, keys: "g r" },
  { to: "/knowledge", name: "Knowledge", icon: BookOpen, keys: "g k" },
  { to: "/costs", name: "Costs", icon: CircleDollarSign, keys: "g c" },
  { to: "/activity", name: "Activity", icon: Activity, keys: "g a" },
  { to: "/settings", name: "Settings", icon: Settings, keys: "g s" },
];

/** At the bottom of a phone; the others are under More. */
const ON_PHONE = new Set(["/", INBOX, "/projects", "/runs"]);
export const UNDER_MORE = PLACES.filter(({ to }) => !ON_PHONE.has(to));

export function Sidebar() {
  return (
    <aside className="sticky top-0 flex h-dvh w-52 shrink-0 flex-col gap-1 border-r border-line bg-sunk px-2 py-3 max-md:hidden">
      <Link to="/" className="mb-2 flex items-center gap-2 px-2 font-semibold">
        <img src="/favicon.svg" alt="" width={22} height={22} />
        Guildhall
      </Link>
      <button
        type="button"
        onClick={() => showPanel("palette")}
        className="mb-2 flex items-center gap-1.5 rounded-md border border-edge bg-card px-2 py-1.5 text-sm whitespace-nowrap text-faint"
      >
        <Search size={14} aria-hidden />
        Search or jump
        <kbd className="ml-auto font-sans text-xs">{keyCaps("mod+k")}</kbd>
      </button>
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {PLACES.map((place) => (
          <SideLink key={place.to} {...place} />
        ))}
      </nav>
      <div className="mt-auto flex items-center gap-1">
        <button
          type="button"
          onClick={() => showPanel("chat")}
          title="Talk to the main agent. Press t"
          className="flex flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-sm text-faint hover:bg-card hover:text-ink"
        >
          <MessageCircle size={16} aria-hidden />
          Talk
        </button>
        <ThemeButton />
        <IconButton label="Keyboard shortcuts" onClick={() => showPanel("keys")}>
          <kbd>?</kbd>
        </IconButton>
      </div>
    </aside>
  );
}

function SideLink({ to, name, icon: Icon, keys }: Place) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === "/" }}
      title={keys === undefined ? undefined : `Press ${keys}`}
      className="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm text-faint hover:bg-card hover:text-ink aria-[current=page]:bg-card aria-[current=page]:font-medium aria-[current=page]:text-ink"
    >
      <Icon size={16} aria-hidden />
      {name}
      {to === INBOX && <NeedsCount />}
    </Link>
  );
}

function NeedsCount() {
  const { data } = useQuery(queries.now());
  if (data === undefined) return null;
  const count = data.counts.needsMe + data.counts.review;
  if (count === 0) return null;
  const words = needsWords(data.counts).join(", ");
  return (
    <span title={words} className="ml-auto rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent">
      <span aria-hidden>{count}</span>
      <span className="sr-only"> {words}</span>
    </span>
  );
}

export function TopBar() {
  return (
    <header className="sticky top-0 z-20 flex items-center gap-1 border-b border-line bg-sunk px-3 py-1.5 md:hidden">
      <Link to="/" className="mr-auto flex items-center gap-2 font-semibold">
        <img src="/favicon.svg" alt="" width={20} height={20} />
        Guildhall
      </Link>
      <Button kind="ghost" onClick={() => showPanel("palette")}>
        <Search size={16} aria-hidden />
        Search
      </Button>
    </header>
  );
}

const BAR_ENTRY =
  "relative flex min-w-0 flex-1 flex-col items-center gap-0.5 py-1.5 text-xs text-faint aria-[current=page]:font-medium aria-[current=page]:text-accent";

export function BottomBar() {
  return (
    <nav aria-label="Main" className="fixed inset-x-0 bottom-0 z-20 flex border-t border-line bg-sunk md:hidden">
      {PLACES.filter(({ to }) => ON_PHONE.has(to)).map(({ to, name, icon: Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === "/" }} className={BAR_ENTRY}>
          <Icon size={18} aria-hidden />
          {name}
          {to === INBOX && (
            <span className="absolute top-0.5 left-1/2 ml-1">
              <NeedsCount />
            </span>
          )}
        </Link>
      ))}
      <button type="button" onClick={() => showPanel("chat")} className={BAR_ENTRY}>
        <MessageCircle size={18} aria-hidden />
        Talk
      </button>
      <button type="button" onClick={() => showPanel("more")} className={BAR_ENTRY}>
        <Ellipsis size={18} aria-hidden />
        More
      </button>
    </nav>
  );
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

function ThemeButton() {
  const theme = useTheme();
  const Icon = ICONS[theme];
  return (
    <IconButton label={`Theme: ${theme}. Change to ${NEXT[theme]}`} onClick={() => chooseTheme(NEXT[theme])}>
      <Icon size={16} />
    </IconButton>
  );
}
