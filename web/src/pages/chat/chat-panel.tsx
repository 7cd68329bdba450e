import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { KeysWithin, useKeysOfDialog } from "../../shell/keys.ts";
import { closeChat, useChatCalls } from "../../shell/panels.ts";
import { IconButton } from "../../ui/button.tsx";
import { useMedia, WIDE } from "../../ui/hooks/use-media.ts";
import { Conversation } from "./conversation.tsx";
import { mainPlace } from "./talk-place.ts";

const SUGGESTIONS = [
  { title: "Get a status", text: "What's happening, and what needs me?" },
  {
    title: "Start something new",
    text: "Create a project for the repository at /path/to/repo and add tests for the parser.",
  },
  {
    title: "Delegate work",
    text: "Have a reviewer look at the latest change in my project and report the findings.",
  },
];

/** The main agent, beside whatever page is open. */
export default function ChatPanel() {
  const field = useRef<HTMLTextAreaElement>(null);
  const calls = useChatCalls();
  const Frame = useMedia(WIDE) ? Beside : Whole;
  useReturningFocus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for once more, the field has the focus once more
  useEffect(() => field.current?.focus(), [calls]);
  return (
    <Frame>
      <Conversation
        place={mainPlace}
        field={field}
        label="Message the main agent"
        welcome="The main agent knows every project. It can create projects and tasks, and start agents on them."
        suggestions={SUGGESTIONS}
      />
    </Frame>
  );
}

function Head({ id }: { id: string }) {
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line px-4 py-2">
      <h2 id={id} className="flex-1 font-semibold">
        Talk to the main agent
      </h2>
      <IconButton label="Close (Esc)" onClick={closeChat} className="-mr-2">
        <X size={16} />
      </IconButton>
    </div>
  );
}

function Beside({ children }: { children: ReactNode }) {
  const id = useId();
  return (
    <aside
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        closeChat();
      }}
      className="z-10 flex h-dvh w-104 max-w-[85vw] shrink-0 flex-col border-l border-line bg-paper md:max-lg:fixed md:max-lg:right-0 md:max-lg:shadow-xl lg:sticky lg:top-0"
    >
      <Head id={id} />
      {children}
    </aside>
  );
}

function Whole({ children }: { children: ReactNode }) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const keys = useKeysOfDialog();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        closeChat();
      }}
      className="m-0 h-dvh max-h-none w-screen max-w-none border-0 bg-paper p-0 text-ink"
    >
      <div className="flex h-full flex-col">
        <Head id={id} />
        <KeysWithin value={keys}>{children}</KeysWithin>
      </div>
    </dialog>
  );
}

function useReturningFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}
