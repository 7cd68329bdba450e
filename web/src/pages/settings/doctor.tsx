import { useQuery } from "@tanstack/react-query";
import { ChevronDown, CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { HealthCheck } from "../../../../src/contract/routes/settings-routes.ts";
import { heardHint } from "../../../../src/contract/words/hint.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";
import { Hint } from "../../ui/hint.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

const signs = {
  ok: { icon: CircleCheck, look: "text-good", word: "Passed" },
  warning: { icon: TriangleAlert, look: "text-warn", word: "Warning" },
  failed: { icon: CircleAlert, look: "text-bad", word: "Failed" },
} as const;

export function Doctor() {
  const doctor = useQuery(queries.doctor());
  const rebuild = useAct("rebuildIndex", {
    done: ({ files, ms }) => `Read ${plural(files, "file")} in ${Math.round(ms)} ms.`,
  });
  return (
    <Section
      title="Doctor"
      actions={
        <>
          <Button size="small" busy={rebuild.isPending} onClick={() => rebuild.mutate({})}>
            Rebuild index
          </Button>
          <Button size="small" busy={doctor.isFetching} onClick={() => void doctor.refetch()}>
            Run again
          </Button>
        </>
      }
    >
      <Loaded query={doctor}>{({ checks }) => <Checks checks={checks} />}</Loaded>
    </Section>
  );
}

/** What needs a look stands open; what is well is one line that opens. */
function Checks({ checks }: { checks: readonly HealthCheck[] }) {
  const well = checks.filter(({ state }) => state === "ok");
  const others = checks.filter(({ state }) => state !== "ok");
  const { icon: Icon, look } = signs.ok;
  return (
    <Card className="overflow-hidden">
      {others.length > 0 && (
        <ul aria-label="Warnings" className="border-b border-line">
          {others.map((check) => (
            <Check key={check.id} check={check} />
          ))}
        </ul>
      )}
      {well.length > 0 && (
        <details>
          <summary className="flex items-center gap-3 px-4 py-2.5 text-sm font-medium">
            <Icon size={16} aria-hidden className={`shrink-0 ${look}`} />
            {others.length === 0 ? `All ${well.length} checks passed` : `${plural(well.length, "other check")} passed`}
            <ChevronDown size={14} aria-hidden className="ml-auto text-faint" />
          </summary>
          <ul aria-label="Passed" className="border-t border-line">
            {well.map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Check({ check: { title, state, detail, ...told } }: { check: HealthCheck }) {
  const { icon: Icon, look, word } = signs[state];
  const hint = heardHint(told);
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-2.5 text-sm last:border-b-0">
      <Icon size={16} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${look}`} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{title}</span> <span className="text-faint">{detail}</span>
        </p>
        {hint !== undefined && state !== "ok" && (
          <p className="text-faint">
            <Hint of={hint} />
          </p>
        )}
      </div>
    </li>
  );
}
