import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FileSearch, Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { queries } from "../../api/queries.ts";
import type { ChoosingProps } from "../../shell/choosing.ts";
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

/** Everything in the workspace, a few letters away. */
export default function Palette({ typed, list, isEntered, keys, onActive }: ChoosingProps) {
  const [asked, setAsked] = useState<Choice>();
  const [wanted, setWanted] = useState({ typed, at: 0 });
  const groups = useGroups(typed);
  const flat = groups.flatMap(({ choices }) => choices);
  const active = Math.min(wanted.typed === typed ? wanted.at : 0, flat.length - 1);
  const point = (at: number) => setWanted({ typed, at });
  const choose = (choice: Choice) => {
    if (choice.confirm !== undefined && asked === undefined) return setAsked(choice);
    close();
    if (choice.isPassing !== true) keepRecent(choice.id);
    choice.act();
  };
  const hear = useEffectEvent((event: KeyboardEvent): boolean => {
    const next = steps(event, { at: active, count: flat.length });
    const chosen = flat[active];
    if (next !== undefined) point(next);
    else if (event.key === "Enter" && chosen !== undefined) choose(chosen);
    else return false;
    return true;
  });
  useLayoutEffect(() => {
    keys.current = (event) => hear(event);
    return () => {
      keys.current = undefined;
    };
  }, [keys]);
  const option = flat.length === 0 ? undefined : `${list}-${active}`;
  useLayoutEffect(() => onActive(option), [option, onActive]);
  useEntered(isEntered, flat[active], choose);
  return (
    <>
      <ChoiceList id={list} groups={groups} active={active} onPoint={point} onChoose={choose} />
      {asked?.confirm !== undefined && (
        <Confirm
          title={`${asked.confirm.action}?`}
          action={asked.confirm.action}
          busy={false}
          onConfirm={() => choose(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.confirm.what}</p>
        </Confirm>
      )}
    </>
  );
}

/** Enter that was pressed before the choices were there. They are all there when projects and roles have been loaded. */
function useEntered(isEntered: boolean, chosen: Choice | undefined, choose: (choice: Choice) => void): void {
  const isLoading = [useQuery(queries.projects()), useQuery(queries.roles())].some(({ isPending }) => isPending);
  const enter = useEffectEvent(() => {
    if (chosen !== undefined) choose(chosen);
  });
  useEffect(() => {
    if (isEntered && !isLoading) enter();
  }, [isEntered, isLoading]);
}

function useGroups(typed: string): ChoiceGroup[] {
  const choices = useChoices();
  const [recent] = useState(recentIds);
  const found = useFound(typed);
  if (typed.trim() === "") return choicesAtFirst(choices, recent);
  return [...choicesFor(typed, choices), { title: "Results", choices: found }].filter(
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
      group: "Results",
      title: hit.title,
      detail: detailOf(hit),
      icon: FileSearch,
      isPassing: true,
      act: () => void navigate(place),
    };
  });
  const all: Choice = {
    id: "search all",
    group: "Results",
    title: `Search everything for “${typed.trim()}”`,
    icon: Search,
    isPassing: true,
    act: () => void navigate({ to: "/search", search: { q: typed.trim() } }),
  };
  return typed.trim() === "" ? [] : [...places, all];
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
