import { useEffect, useRef } from "react";
import type { Choice, ChoiceGroup } from "./choices.ts";
import { KeyCaps } from "./key-caps.tsx";

interface ListProps {
  id: string;
  groups: ChoiceGroup[];
  active: number;
  onPoint: (at: number) => void;
  onChoose: (choice: Choice) => void;
}

export function ChoiceList({ id, groups, active, onPoint, onChoose }: ListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active one moves among the groups
  useEffect(() => {
    list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: "nearest" });
  }, [active, groups.length]);
  let at = 0;
  return (
    <div ref={list} id={id} role="listbox" aria-label="Choices" className="min-h-0 flex-1 overflow-y-auto p-2">
      {groups.map(({ title, choices }, place) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
        <div key={title} role="group" aria-labelledby={`${id}-group-${place}`} className="mb-1">
          <div id={`${id}-group-${place}`} className="px-2 py-1 text-xs font-semibold text-faint">
            {title}
          </div>
          {choices.map((choice) => {
            const own = at++;
            return (
              <Option
                key={choice.id}
                id={`${id}-${own}`}
                choice={choice}
                isActive={own === active}
                onPoint={() => onPoint(own)}
                onChoose={() => onChoose(choice)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  choice: Choice;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, choice: { title, detail, keys, icon: Icon }, isActive, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={isActive ? undefined : onPoint}
      onClick={onChoose}
      className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-sm aria-selected:bg-accent-soft"
    >
      <Icon size={16} aria-hidden className="shrink-0 text-faint" />
      <bdi className="min-w-0 truncate">{title}</bdi>
      {detail !== undefined && <bdi className="min-w-0 flex-1 truncate text-xs text-faint">{detail}</bdi>}
      {keys !== undefined && (
        <span className="ml-auto max-sm:hidden">
          <KeyCaps keys={keys} />
        </span>
      )}
    </div>
  );
}
