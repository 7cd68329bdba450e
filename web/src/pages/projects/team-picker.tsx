import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { queries } from "../../api/queries.ts";
import { Badge } from "../../ui/badge.tsx";

/** A role of the hall, or a template of which one is made. */
export interface Candidate {
  id: string;
  name: string;
  emoji: string;
  description: string;
  isTemplate: boolean;
}

export function useCandidates(): Candidate[] {
  const roles = useQuery(queries.roles()).data?.roles ?? [];
  const templates = useQuery(queries.roleTemplates()).data?.templates ?? [];
  const here = new Set(roles.map(({ id }) => id));
  return [
    ...roles.map((role) => ({ ...role, isTemplate: false })),
    ...templates
      .filter(({ id }) => !here.has(id))
      .map(({ id, name, description, baseRole }) => ({
        id,
        name,
        description,
        emoji: baseRole.emoji,
        isTemplate: true,
      })),
  ];
}

interface PickerProps {
  /** What the project is about; roles that fit are proposed. */
  about: string;
  chosen: readonly string[];
  onChoose: (chosen: string[]) => void;
}

export function TeamPicker({ about, chosen, onChoose }: PickerProps) {
  const candidates = useCandidates();
  const text = useDeferredValue(about.trim().slice(0, 2_000));
  const { data } = useQuery({
    ...queries.roleSuggestions(text.replace(/\s+/g, " ")),
    enabled: text !== "",
    placeholderData: (before) => before,
  });
  const fitting = new Set(data?.suggestions.map(({ roleId }) => roleId) ?? []);
  const first = candidates.toSorted((a, b) => Number(fitting.has(b.id)) - Number(fitting.has(a.id)));
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="text-sm font-medium">Team</legend>
      <p className="text-xs text-faint">Roles that can get tasks. You can change this later.</p>
      <div className="mt-1 grid gap-1.5 sm:grid-cols-2">
        {first.map((candidate) => (
          <label
            key={candidate.id}
            className="flex cursor-pointer items-start gap-2 rounded-md border border-line px-2.5 py-2 text-sm hover:bg-sunk has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="checkbox"
              checked={chosen.includes(candidate.id)}
              onChange={() => toggle(candidate.id)}
              className="mt-0.5 size-4 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">
                <span aria-hidden>{candidate.emoji} </span>
                <bdi>{candidate.name}</bdi>
              </span>{" "}
              {fitting.has(candidate.id) && <Badge tone="info">Fits</Badge>}
              {candidate.isTemplate && <Badge title="Creates the role from a template">New</Badge>}
              <span className="line-clamp-1 text-xs text-faint">{candidate.description}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
