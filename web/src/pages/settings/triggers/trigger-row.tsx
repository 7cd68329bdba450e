import { ChevronRight, Ellipsis } from "lucide-react";
import { useState } from "react";
import type { Trigger } from "../../../../../src/contract/documents/autonomy/trigger.ts";
import { actionWords, OUTCOME_WORDS, sourceWords } from "../../../../../src/contract/words/autonomy/trigger-words.ts";
import { useAct } from "../../../api/use-act.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Ago } from "../../../ui/figures.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { TriggerForm } from "./trigger-form.tsx";
import { OUTCOME_TONES, TriggerHistory } from "./trigger-history.tsx";
import { TriggerTest } from "./trigger-test.tsx";

const STATES: Record<Trigger["state"], { word: string; tone: Tone }> = {
  active: { word: "Active", tone: "good" },
  paused: { word: "Paused", tone: "neutral" },
  held: { word: "Project not active", tone: "warn" },
  broken: { word: "File broken", tone: "bad" },
};

type Open = "history" | "edit" | "test" | "remove";

/** One trigger: when it fires, what it starts, why it did not fire, and its past. */
export function TriggerRow({ trigger }: { trigger: Trigger }) {
  const { name, state, on, do: action, why, last, path, problem, description, waiting } = trigger;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="text-sm font-semibold wrap-anywhere">{name}</code>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
        {last?.outcome !== undefined && (
          <span className="flex items-center gap-1.5 text-xs text-faint">
            <Badge tone={OUTCOME_TONES[last.outcome]}>{OUTCOME_WORDS[last.outcome]}</Badge>
            <Ago at={last.at} />
          </span>
        )}
        {waiting > 0 && <span className="text-xs text-faint">{waiting} waiting</span>}
        <Actions trigger={trigger} onOpen={setOpen} />
      </div>
      {description !== undefined && <p className="text-sm text-faint wrap-anywhere">{visibleLine(description)}</p>}
      <p className="text-sm wrap-anywhere">
        <bdi>{visibleLine(sourceWords(on))}</bdi> → <bdi>{visibleLine(actionWords(action))}</bdi>
        {path !== undefined && <code className="ml-2 text-xs text-faint">POST {path}</code>}
      </p>
      {problem === undefined ? (
        <p className="text-xs text-faint wrap-anywhere">{visibleLine(why)}</p>
      ) : (
        <p role="status" className="rounded-md bg-bad-soft px-3 py-1.5 text-sm text-bad wrap-anywhere">
          {visibleLine(problem)}
        </p>
      )}
      <button
        type="button"
        data-row
        aria-expanded={open === "history"}
        aria-label={`History of ${name}`}
        onClick={() => setOpen(open === "history" ? undefined : "history")}
        className="flex min-h-6 items-center gap-x-1 self-start rounded text-xs hover:text-accent"
      >
        <ChevronRight size={14} aria-hidden className={`text-faint ${open === "history" ? "rotate-90" : ""}`} />
        History
      </button>
      {open === "history" && <TriggerHistory name={name} />}
      {open === "edit" && <TriggerForm trigger={trigger} onClose={close} />}
      {open === "test" && <TriggerTest name={name} onClose={close} />}
      {open === "remove" && <Remove trigger={trigger} onClose={close} />}
    </li>
  );
}

function Actions({ trigger: { name, state }, onOpen }: { trigger: Trigger; onOpen: (what: Open) => void }) {
  const run = useAct("runTrigger", { done: `Fired ${name}.` });
  const pause = useAct("pauseTrigger", { done: `Paused ${name}.` });
  const resume = useAct("resumeTrigger", { done: `Resumed ${name}.` });
  const params = { name };
  const isBroken = state === "broken";
  return (
    <span className="ml-auto flex items-center gap-2">
      <Button size="small" aria-label={`Test ${name}`} title="Shows the prompt" onClick={() => onOpen("test")}>
        Test
      </Button>
      <Button
        size="small"
        aria-label={`Run ${name}`}
        disabled={isBroken}
        busy={run.isPending}
        onClick={() => run.mutate({ params })}
      >
        Run
      </Button>
      {state === "paused" ? (
        <Button
          size="small"
          aria-label={`Resume ${name}`}
          busy={resume.isPending}
          onClick={() => resume.mutate({ params })}
        >
          Resume
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={`Pause ${name}`}
          disabled={isBroken}
          busy={pause.isPending}
          onClick={() => pause.mutate({ params })}
        >
          Pause
        </Button>
      )}
      <Menu
        label={`Actions for ${name}`}
        trigger={
          <IconButton label={`More actions for ${name}`}>
            <Ellipsis size={16} />
          </IconButton>
        }
        items={[
          { label: "Edit…", disabled: isBroken, onSelect: () => onOpen("edit") },
          { label: "Remove…", danger: true, onSelect: () => onOpen("remove") },
        ]}
      />
    </span>
  );
}

function Remove({ trigger: { name, file }, onClose }: { trigger: Trigger; onClose: () => void }) {
  const remove = useAct("removeTrigger", { done: `Removed ${name}.`, onDone: onClose });
  return (
    <Confirm
      title={`Remove ${name}?`}
      action="Remove trigger"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { name } })}
      onClose={onClose}
    >
      Moves <code className="wrap-anywhere">{file}</code> and its history to <code>.removed</code>. What it started
      continues.
    </Confirm>
  );
}
