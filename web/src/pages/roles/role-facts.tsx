import type { Role } from "../../../../src/contract/documents/role.ts";
import { Badge } from "../../ui/badge.tsx";
import { plural } from "../../ui/figures.tsx";

const SHOWN = 4;

/** Model and specialties, as far as they fit. */
export function RoleFacts({
  role: { modelConfig, specialty, skills, ask = [] },
}: {
  role: Pick<Role, "modelConfig" | "specialty" | "skills" | "ask">;
}) {
  return (
    <p className="mt-auto flex flex-wrap gap-1">
      <Badge tone="info">{modelConfig.model === "default" ? "Default model" : modelConfig.model}</Badge>
      {specialty.slice(0, SHOWN).map((each) => (
        <Badge key={each}>{each}</Badge>
      ))}
      {specialty.length > SHOWN && <Badge>+{specialty.length - SHOWN}</Badge>}
      {skills.includes("exec") && <Badge tone="warn">Runs commands</Badge>}
      {ask.length > 0 && (
        <Badge title={`Asks before: ${ask.join(", ")}`}>
          Asks before {ask.length === 1 ? ask[0] : plural(ask.length, "tool")}
        </Badge>
      )}
    </p>
  );
}
