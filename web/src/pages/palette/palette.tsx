import { useNavigate } from "@tanstack/react-router";
import { FileSearch, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useKeysOfDialog } from "../../shell/keys.ts";
import { showPanel } from "../../shell/panels.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { useSettled } from "../../ui/hooks/use-settled.ts";
import { onePerTask } from "../search/hit-group.ts";
import { placeOfHit } from "../search/hit-place.ts";
import { useHits } from "../search/use-hits.ts";
import { ChoiceList } from "./choice-list.tsx";
import { type Choice, type ChoiceGroup, choicesAtFirst, choicesFor } from "./choices.ts";
import { useChoices } from "./use-choices.ts";
import { useHitDetail } from "./use-hit-detail.ts";

const MOST_HITS = 8;
/** Several may belong to one task. */
const MOST_ASKED = 40;
const LEAST_TYPED = 2;

const close = () => showPanel(undefined);

/** Everything in the hall, a few letters away. */
export default function Palette() {
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState<Choice>();
  const groups = useGroups(typed);
  const choose = (choice: Choice) => {
    if (choice.confirm !== undefined && asked === undefined) return setAsked(choice);
    close();
    if (choice.isPassing !== true) keepRecent(choice.id);
    choice.act();
  };
  if (asked?.confirm !== undefined)
    return (
      <Confirm
        title={`${asked.confirm.action}?`}
        action={asked.confirm.action}
        busy={false}
        onConfirm={() => choose(asked)}
        onClose={() => setAsked(undefined)}
      >
        <p>{asked.confirm.what}</p>
      </Confirm>
    );
  return (
    <PaletteFrame>
      <Chooser typed={typed} onType={setTyped} groups={groups} onChoose={choose} />
    </PaletteFrame>
  );
}

function useGroups(typed: string): ChoiceGroup[] {
  const choices = useChoices();
  const [recent] = useState(recentIds);
  const found = useFound(typed);
  if (typed.trim() === "") return choicesAtFirst(choices, recent);
  return [...choicesFor(typed, choices), { title: "Found in the hall", choices: found }].filter(
    (group) => group.choices.length > 0,
  );
}

/** Hits of the full-text search, one of each task, and the way to all of them. */
function useFound(typed: string): Choice[] {
  const navigate = useNavigate();
  const settled = useSettled(typed.trim());
  const hits = useHits({ q: settled.length < LEAST_TYPED ? "" : settled, limit: MOST_ASKED });
  const detailOf = useHitDetail();
  const isTyped = typed.trim().length >= LEAST_TYPED;
  const found = isTyped ? onePerTask(hits.data?.hits ?? []) : [];
  const places = found.slice(0, MOST_HITS).flatMap((hit) => {
    const place = placeOfHit(hit);
    if (place === undefined || hit.kind === "project" || hit.kind === "role") return [];
    return {
      id: `hit ${hit.kind} ${hit.projectId} ${hit.id}`,
      group: "Found",
      title: hit.title,
      detail: detailOf(hit),
      icon: FileSearch,
      isPassing: true,
      act: () => void navigate(place),
    };
  });
  const all: Choice = {
    id: "search all",
    group: "Found",
    title: `Search for “${typed.trim()}” in everything`,
    icon: Search,
    isPassing: true,
    act: () => void navigate({ to: "/search", search: { q: typed.trim() } }),
  };
  return typed.trim() === "" ? [] : [...places, all];
}

function PaletteFrame({ children }: { children: React.ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  useKeysOfDialog();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the key; a click beside it is the other way
    <dialog
      ref={ref}
      aria-label="Search or jump"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === ref.current) close();
      }}
      className="mx-auto mt-[10dvh] mb-auto w-[min(40rem,calc(100vw-1.5rem))] overflow-hidden rounded-xl border border-line bg-card p-0 text-ink shadow-xl max-sm:mt-3"
    >
      {children}
    </dialog>
  );
}

function Chooser({
  typed,
  onType,
  groups,
  onChoose,
}: {
  typed: string;
  onType: (text: string) => void;
  groups: ChoiceGroup[];
  onChoose: (choice: Choice) => void;
}) {
  const list = useId();
  const [wanted, setWanted] = useState(0);
  const flat = groups.flatMap(({ choices }) => choices);
  const active = Math.min(wanted, flat.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = steps(event, { at: active, count: flat.length });
    const chosen = flat[active];
    if (next !== undefined) setWanted(next);
    else if (event.key === "Enter" && chosen !== undefined) onChoose(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex max-h-[min(32rem,75dvh)] flex-col">
      <div className="flex items-center gap-2 border-b border-line px-4">
        <Search size={16} aria-hidden className="shrink-0 text-faint" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the palette is opened to write here
          autoFocus
          type="text"
          role="combobox"
          aria-label="Search or jump"
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={flat.length === 0 ? undefined : `${list}-${active}`}
          placeholder="Search or jump to…"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            onType(event.target.value);
            setWanted(0);
          }}
          onKeyDown={onKeyDown}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
        <kbd className="text-xs text-faint max-sm:hidden">Esc</kbd>
      </div>
      <ChoiceList id={list} groups={groups} active={active} onPoint={setWanted} onChoose={onChoose} />
      <p className="border-t border-line px-4 py-2 text-xs text-faint max-sm:hidden">
        <kbd>↑</kbd> <kbd>↓</kbd> to move, <kbd>Enter</kbd> to choose
      </p>
    </div>
  );
}

function steps({ key, ctrlKey }: KeyboardEvent, { at, count }: { at: number; count: number }): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown" || (ctrlKey && key === "n")) return (at + 1) % count;
  if (key === "ArrowUp" || (ctrlKey && key === "p")) return (at - 1 + count) % count;
  if (key === "PageDown") return Math.min(count - 1, at + 8);
  return key === "PageUp" ? Math.max(0, at - 8) : undefined;
}

/** What was chosen lately in the palette, the newest first. */
const NAME = "guildhall.palette.recent";
const MOST = 8;

function recentIds(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** A full storage must not keep anybody from going somewhere. */
function keepRecent(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((each) => each !== id)];
    localStorage.setItem(NAME, JSON.stringify(ids.slice(0, MOST)));
  } catch {}
}
