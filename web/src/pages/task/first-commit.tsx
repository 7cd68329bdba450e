import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";

/** For a repository without a commit, which agents need to start from. */
export function FirstCommit({ projectId }: { projectId: string }) {
  const act = useAct("createFirstCommit", {
    done: ({ files, branch, omitted }) => {
      const left = omitted.length === 0 ? "" : ` Skipped because they may contain secrets: ${omitted.join(", ")}.`;
      return `Committed ${plural(files, "file")} to ${branch}.${left}`;
    },
  });
  return (
    <Button size="small" busy={act.isPending} onClick={() => act.mutate({ params: { id: projectId } })}>
      Create first commit
    </Button>
  );
}
