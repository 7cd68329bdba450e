import type { Now } from "../../../../src/contract/now.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";

/** Projects from before review became the default keep merging automatically until the person says otherwise. */
export function ReviewOffer({ projects }: { projects: Now["reviewOffer"] }) {
  const act = useAct("answerReviewOffer", {
    done: ({ changed }) =>
      changed.length === 0 ? "Automatic merge stays on." : `Review turned on in ${plural(changed.length, "project")}.`,
  });
  if (projects.length === 0) return null;
  return (
    <section
      aria-label="Review before merge"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-warn-soft px-4 py-2 text-sm"
    >
      <p className="min-w-0 grow basis-72 break-words">
        <strong className="font-medium">Review before merge is off in {plural(projects.length, "project")}</strong> (
        {named(projects)}): agents' changes go straight into your branch.
      </p>
      <div className="flex gap-2">
        <Button size="small" onClick={() => act.mutate({ body: { enable: false } })} disabled={act.isPending}>
          Keep off
        </Button>
        <Button size="small" kind="primary" onClick={() => act.mutate({ body: { enable: true } })} busy={act.isPending}>
          Turn on
        </Button>
      </div>
    </section>
  );
}

const MOST_NAMED = 3;

function named(projects: readonly string[]): string {
  const left = projects.length - MOST_NAMED;
  return projects.slice(0, MOST_NAMED).join(", ") + (left > 0 ? ` and ${left} more` : "");
}
