import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import {
  FolderKanban,
  Keyboard,
  LogOut,
  type LucideIcon,
  MessageCircle,
  Monitor,
  Moon,
  OctagonX,
  Play,
  PlayCircle,
  Plus,
  Search,
  Settings,
  Sun,
  Users,
  Workflow,
} from "lucide-react";
import { TEAM_STATUS_WORDS } from "../../../../src/contract/words/teams/team-phrases.ts";
import { hallCommand } from "../../api/hall-command.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { PLACES } from "../../shell/nav.tsx";
import { showPanel } from "../../shell/panels.ts";
import { signOut } from "../../shell/sign-in.ts";
import { chooseTheme, type Theme } from "../../shell/theme.ts";
import { plural } from "../../ui/figures.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { runStanding } from "../../ui/run/status.tsx";
import { tellFailure } from "../../ui/toasts.tsx";
import { LIBRARY, SETTINGS, TABS, WORK } from "../project/sections.ts";
import { SETTINGS_PARTS } from "../settings/settings-tabs.tsx";
import type { Choice } from "./choices.ts";
import { useProjectNames } from "./use-hit-detail.ts";

const THEMES: readonly [Theme, LucideIcon][] = [
  ["light", Sun],
  ["dark", Moon],
  ["system", Monitor],
];

/** Everything that can be chosen without being looked for in the hall's texts. */
export function useChoices(): Choice[] {
  return [
    ...useRuns(),
    ...useTeams(),
    ...useSections(),
    ...usePages(),
    ...useActions(),
    ...useProjects(),
    ...useRoles(),
  ];
}

function usePages(): Choice[] {
  const navigate = useNavigate();
  const pages = PLACES.map(({ to, name, icon, keys }) => ({
    id: `page ${to}`,
    group: "Go to",
    title: name,
    keys,
    icon,
    act: () => void navigate({ to }),
  }));
  const parts = SETTINGS_PARTS.slice(1).map(({ to, name }) => ({
    ...{ id: `page ${to}`, group: "Go to", title: name, detail: "Settings", icon: Settings },
    act: () => void navigate({ to }),
  }));
  const search = { id: "page /search", group: "Go to", title: "Search", keys: "/", icon: Search };
  return [...pages, ...parts, { ...search, act: () => void navigate({ to: "/search" }) }];
}

/** The tabs of the project whose page is open, and what is in them. */
function useSections(): Choice[] {
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const nameOf = useProjectNames();
  if (id === undefined) return [];
  const inLibrary = LIBRARY.map((section) => ({ ...section, detail: "Library", keys: undefined }));
  const inWork = WORK.slice(1).map((section) => ({ ...section, detail: "Work", keys: undefined }));
  const inSettings = SETTINGS.slice(1).map((section) => ({ ...section, detail: "Settings", keys: undefined }));
  const tabs = TABS.map((section, at) => ({ ...section, detail: undefined, keys: String(at + 1) }));
  return [...tabs, ...inWork, ...inLibrary, ...inSettings].map(({ to, name, detail, keys }) => ({
    id: `section ${to}`,
    group: nameOf(id),
    title: name,
    detail,
    keys,
    words: nameOf(id),
    icon: FolderKanban,
    act: () => void navigate({ to, params: { id } }),
  }));
}

function useActions(): Choice[] {
  const stop = useAct("stopRuns", {
    done: ({ runs }) => (runs.length === 0 ? "Nothing was running." : `Stopped ${plural(runs.length, "run")}.`),
  });
  const navigate = useNavigate();
  // A phone has none; a tablet may.
  const hasKeyboard = useMedia(WIDE);
  const make = { words: "create add make", icon: Plus };
  const newRole = () => void navigate({ to: "/roles/$roleId", params: { roleId: "new" } });
  const action = (choice: Omit<Choice, "group">): Choice => ({ group: "Actions", ...choice });
  return [
    action({ ...make, id: "new task", title: "New task", keys: "c", act: () => showPanel("new-task") }),
    action({ ...make, id: "new project", title: "New project", act: () => showPanel("new-project") }),
    action({ ...make, id: "new role", title: "New role", act: newRole }),
    action({
      id: "start",
      title: "Start an agent",
      words: "spawn run",
      keys: "s",
      icon: Play,
      act: () => showPanel("start-agent"),
    }),
    action({
      id: "start team",
      title: "Start a team",
      words: "new goal spec plan",
      icon: Workflow,
      act: () => showPanel("start-team"),
    }),
    action({
      id: "chat",
      title: "Talk to the main agent",
      words: "chat say ask message",
      keys: "t",
      icon: MessageCircle,
      act: () => showPanel("chat"),
    }),
    ...THEMES.map(([theme, icon]) =>
      action({
        id: `theme ${theme}`,
        title: theme === "system" ? "System theme" : `${theme === "dark" ? "Dark" : "Light"} theme`,
        words: "mode colours",
        icon,
        act: () => chooseTheme(theme),
      }),
    ),
    ...(hasKeyboard
      ? [action({ id: "keys", title: "Keyboard shortcuts", words: "help", keys: "?", icon: Keyboard, act: showKeys })]
      : []),
    action({
      id: "stop",
      title: "Stop everything",
      words: "halt cancel end all runs emergency",
      icon: OctagonX,
      isPassing: true,
      confirm: {
        what: "Stops all runs and answers in every project now. Their changes so far are kept.",
        action: "Stop everything",
      },
      act: () => stop.mutate({}),
    }),
    action({
      id: "sign out",
      title: "Sign out of this browser",
      words: "log out leave",
      icon: LogOut,
      isPassing: true,
      confirm: {
        what: `Sign out of this browser? To sign in again, run '${hallCommand("open")}'.`,
        action: "Sign out",
      },
      act: () => void signOut().catch(tellFailure),
    }),
  ];
}

const showKeys = () => showPanel("keys");

function useRuns(): Choice[] {
  const navigate = useNavigate();
  const { data } = useQuery(queries.now());
  const nameOf = useProjectNames();
  return [...(data?.review ?? []), ...(data?.working ?? [])].map((run) => ({
    id: `run ${run.id}`,
    group: "Runs",
    title: run.title,
    detail: `${runStanding(run).word} · ${nameOf(run.projectId)} · ${run.taskId}`,
    words: `${run.id} ${run.projectId}`,
    icon: PlayCircle,
    act: () => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
  }));
}

function useTeams(): Choice[] {
  const navigate = useNavigate();
  const { data } = useQuery(queries.teams({ status: "active", limit: 20 }));
  const nameOf = useProjectNames();
  return (data?.teams ?? []).map(({ id, name, status, projectId }) => ({
    id: `team ${id}`,
    group: "Teams",
    title: name,
    detail: `${TEAM_STATUS_WORDS[status]} · ${nameOf(projectId)}`,
    words: `${id} ${projectId}`,
    icon: Workflow,
    act: () => void navigate({ to: "/teams/$teamId", params: { teamId: id } }),
  }));
}

function useProjects(): Choice[] {
  const navigate = useNavigate();
  const { data } = useQuery(queries.projects());
  return (data?.projects ?? []).map(({ id, name, status }) => ({
    id: `project ${id}`,
    group: "Projects",
    title: name,
    detail: status === "active" ? id : `${id} · ${status}`,
    icon: FolderKanban,
    act: () => void navigate({ to: "/projects/$id/board", params: { id } }),
  }));
}

function useRoles(): Choice[] {
  const navigate = useNavigate();
  const { data } = useQuery(queries.roles());
  return (data?.roles ?? []).map(({ id, name, emoji }) => ({
    id: `role ${id}`,
    group: "Roles",
    title: `${emoji} ${name}`,
    detail: id,
    icon: Users,
    act: () => void navigate({ to: "/roles/$roleId", params: { roleId: id } }),
  }));
}
