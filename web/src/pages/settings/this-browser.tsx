import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import { signOut } from "../../shell/sign-in.ts";
import { chooseTheme, type Theme, useTheme } from "../../shell/theme.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { tellFailure } from "../../ui/toasts.tsx";

/** What belongs to this browser only, and which daemon it speaks with. */
export function ThisBrowser() {
  const theme = useTheme();
  const { data: status } = useQuery(queries.status());
  return (
    <Section title="This browser">
      <Card className="flex flex-wrap items-end gap-4 p-4">
        <SelectField label="Theme" value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
          <option value="system">As the system</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </SelectField>
        <Button onClick={() => void signOut().catch(tellFailure)}>Sign out</Button>
        {status !== undefined && (
          <p className="ml-auto text-xs text-faint">
            Guildhall {status.version}, up since <Ago at={status.startedAt} />, {status.memoryMb} MB, process{" "}
            {status.pid}
          </p>
        )}
      </Card>
    </Section>
  );
}
