import { useQuery } from "@tanstack/react-query";
import type { Hook, HookDetail } from "../../../../../src/contract/documents/hook.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { ProjectName } from "../../../ui/project-name.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";
import { HookProgram } from "./hook-program.tsx";

/** A hook of a repository runs only after a person has read and accepted it: exactly the content that is shown. */
export function AcceptHook({ hook: { name }, onClose }: { hook: Hook; onClose: () => void }) {
  const found = useQuery({ ...queries.hook(name), staleTime: 0 });
  const hash = found.data?.hook.hash;
  const accept = useAct("acceptHook", { done: `Accepted ${name}.`, onDone: onClose, onFailure: shownInline });
  return (
    <Confirm
      title="Accept this hook?"
      action="Accept hook"
      danger={false}
      disabled={hash === undefined}
      busy={accept.isPending}
      error={accept.error}
      onConfirm={() => hash !== undefined && accept.mutate({ params: { name }, body: { hash } })}
      onClose={onClose}
    >
      <Loaded query={found}>{(detail) => <Content detail={detail} />}</Loaded>
    </Confirm>
  );
}

function Content({ detail: { hook, content = [] } }: { detail: HookDetail }) {
  return (
    <>
      <p>
        {hook.projectId === undefined ? "The repository" : <ProjectName id={hook.projectId} />} wants to run this for{" "}
        <code>{hook.event}</code>:
      </p>
      <HookProgram hook={hook} />
      {content.map(({ path, text }) => (
        <section key={path} aria-label={path} className="flex min-w-0 flex-col gap-1">
          <h3 className="text-xs text-faint">
            <code className="wrap-anywhere">{visibleLine(path)}</code>
          </h3>
          <ScrollBox label={`Content of ${path}`} look="text" className="max-h-56 wrap-anywhere">
            {visibleLine(text)}
          </ScrollBox>
        </section>
      ))}
      <p className="text-faint">
        It runs in the sandbox, for this project only. If this content changes, it isn't used until you accept it again.
      </p>
    </>
  );
}
