import { useState } from "react";
import type { Hook } from "../../../../../src/contract/documents/hook.ts";
import { useAct } from "../../../api/use-act.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { AcceptHook } from "./accept-hook.tsx";
import { HookActivity } from "./hook-activity.tsx";
import { HookProgram } from "./hook-program.tsx";
import { TestButton, TestResult, useHookTest } from "./hook-test.tsx";
import { SOURCE_WORDS } from "./hook-words.ts";

/** One hook: what it runs, whether it is on, and what it did in the last 30 days. */
export function HookRow({ hook }: { hook: Hook }) {
  const { name, description, problem, projectId, source } = hook;
  const [isAccepting, setAccepting] = useState(false);
  const test = useHookTest();
  const isWaiting = hook.accepted === false;
  return (
    <li className="flex flex-col gap-2 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="text-sm font-semibold wrap-anywhere">{visibleLine(name)}</code>
        <Badge title={SOURCE_WORDS[source].title}>{SOURCE_WORDS[source].word}</Badge>
        {projectId !== undefined && (
          <span className="text-xs text-faint">
            <ProjectName id={projectId} />
          </span>
        )}
        {isWaiting && <Badge tone="warn">Not accepted, not used</Badge>}
        <span className="ml-auto flex items-center gap-3">
          {isWaiting ? (
            <Button size="small" kind="primary" onClick={() => setAccepting(true)}>
              Review and accept…
            </Button>
          ) : (
            <>
              <TestButton hook={hook} test={test} />
              <Switch hook={hook} />
            </>
          )}
        </span>
      </div>
      {description !== undefined && <p className="text-sm text-faint">{visibleLine(description)}</p>}
      <HookProgram hook={hook} />
      {problem !== undefined && (
        <p role="status" className="rounded-md bg-bad-soft px-3 py-1.5 text-sm text-bad wrap-anywhere">
          Problem: {visibleLine(problem)}
        </p>
      )}
      <TestResult test={test} />
      <HookActivity hook={hook} />
      {isAccepting && <AcceptHook hook={hook} onClose={() => setAccepting(false)} />}
    </li>
  );
}

function Switch({ hook: { name, enabled } }: { hook: Hook }) {
  const set = useAct("updateHook", {
    done: ({ hook }) => `${hook.enabled ? "Enabled" : "Disabled"} ${name}.`,
  });
  return (
    <label className="flex items-center gap-1.5 text-sm">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        aria-label={`Enable ${name}`}
        checked={enabled}
        disabled={set.isPending}
        onChange={({ target }) => set.mutate({ params: { name }, body: { enabled: target.checked } })}
      />
      {enabled ? "Enabled" : "Disabled"}
    </label>
  );
}
