import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { HealthCheck } from "../../../../src/contract/settings-routes.ts";
import { queries } from "../../api/queries.ts";
import { useAct } from "../../api/use-act.ts";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/figures.tsx";
import { Hint } from "../../ui/hint.tsx";
import { Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";

const signs = {
  ok: { icon: CircleCheck, look: "text-good", word: "Well" },
  warning: { icon: TriangleAlert, look: "text-warn", word: "Look at this" },
  failed: { icon: CircleAlert, look: "text-bad", word: "Wrong" },
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
            Rebuild the index
          </Button>
          <Button size="small" busy={doctor.isFetching} onClick={() => void doctor.refetch()}>
            Look again
          </Button>
        </>
      }
    >
      <Loaded query={doctor}>
        {({ checks }) => (
          <ul className="overflow-hidden rounded-lg border border-line bg-card">
            {checks.map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Check({ check: { title, state, detail, hint } }: { check: HealthCheck }) {
  const { icon: Icon, look, word } = signs[state];
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-2.5 text-sm last:border-b-0">
      <Icon size={16} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${look}`} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{title}</span> <span className="text-faint">{detail}</span>
        </p>
        {hint !== undefined && state !== "ok" && (
          <p className="text-faint">
            <Hint text={hint} />
          </p>
        )}
      </div>
    </li>
  );
}
