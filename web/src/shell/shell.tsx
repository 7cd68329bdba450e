import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { loadAllCode } from "../api/code.ts";
import { keepCaller } from "../api/hall-command.ts";
import { queries } from "../api/queries.ts";
import { useLiveState } from "../live/use-live.ts";
import { laterDialog } from "../ui/later.tsx";
import { useNeedsInTitle } from "../ui/page.tsx";
import { Toasts } from "../ui/toasts.tsx";
import { AwayBanner } from "./away-banner.tsx";
import { listenToKeys, moveAmongRows, useKeys } from "./keys.ts";
import { BottomBar, PLACES, Sidebar, TopBar } from "./nav.tsx";
import { NeedsNotifier } from "./needs-notifier.tsx";
import { PaletteField } from "./palette-field.tsx";
import { closeChat, type Over, showPanel, useChatCalls, usePanel } from "./panels.ts";
import { SignedOut } from "./signed-out.tsx";
import { keepTyping } from "./typed-ahead.ts";

interface PanelProps {
  onClose: () => void;
}

// In the order in which their code is loaded ahead.
const Chat = laterDialog<PanelProps>(() => import("../pages/chat/chat-panel.tsx"));
const NewTask = laterDialog<PanelProps>(() => import("../pages/task/new-task.tsx"));
const StartAgent = laterDialog<PanelProps>(() => import("../pages/task/spawn/start-agent.tsx"));
const StartTeam = laterDialog<PanelProps>(() => import("../pages/teams/start/start-team.tsx"));
const NewProject = laterDialog<PanelProps>(() => import("../pages/projects/new-project.tsx"));
const More = laterDialog<PanelProps>(() => import("../pages/palette/more.tsx"));
const KeysHelp = laterDialog<PanelProps>(() => import("../pages/palette/keys-help.tsx"));
const panels: Record<Exclude<Over, "palette">, typeof NewTask> = {
  keys: KeysHelp,
  more: More,
  "new-task": NewTask,
  "start-agent": StartAgent,
  "start-team": StartTeam,
  "new-project": NewProject,
  "choose-folder": NewProject,
};

export function Shell() {
  const state = useLiveState();
  useShellKeys();
  if (state === "refused") return <SignedOut />;
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-card focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col max-md:pb-14">
        <TopBar />
        <AwayBanner />
        <NeedsInTitle />
        <NeedsNotifier />
        <KnowsCaller />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <PaletteField />
      <OpenPanels />
      <Toasts />
    </div>
  );
}

function NeedsInTitle() {
  const { data } = useQuery(queries.now());
  useNeedsInTitle(data === undefined ? 0 : data.counts.needsMe + data.counts.review);
  return null;
}

/** So that the page can say how its hall is started when it is gone. */
function KnowsCaller() {
  const status = useQuery({ ...queries.status(), staleTime: Number.POSITIVE_INFINITY }).data;
  useEffect(() => {
    if (status !== undefined) keepCaller(status);
  }, [status]);
  return null;
}

function OpenPanels() {
  const panel = usePanel();
  const isChatOpen = useChatCalls() > 0;
  const Panel = panel === undefined || panel === "palette" ? undefined : panels[panel];
  return (
    <>
      {isChatOpen && <Chat onClose={closeChat} />}
      {Panel !== undefined && <Panel onClose={() => showPanel(undefined)} />}
    </>
  );
}

function useShellKeys(): void {
  const navigate = useNavigate();
  const going = PLACES.flatMap(({ to, keys }) =>
    keys === undefined ? [] : [[keys, () => void navigate({ to })] as const],
  );
  useCodeAtHand();
  useKeys({
    ...Object.fromEntries(going),
    "/": () => {
      keepTyping();
      void navigate({ to: "/search" });
    },
    c: () => showPanel("new-task"),
    s: () => showPanel("start-agent"),
    t: () => showPanel("chat"),
  });
  useKeys(
    {
      j: () => moveAmongRows(1),
      k: () => moveAmongRows(-1),
      "?": () => showPanel("keys"),
      "mod+k": () => showPanel("palette"),
    },
    { isEverywhere: true },
  );
  useEffect(listenToKeys, []);
}

/** All of it comes as soon as there is nothing else to do: what is opened then opens at once, also while the daemon is away. */
function useCodeAtHand(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadAllCode(), 1_500);
    return () => clearTimeout(timer);
  }, []);
}
