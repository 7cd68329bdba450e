import { useQuery } from "@tanstack/react-query";
import type { Instruction } from "../../../../../src/contract/documents/instruction.ts";
import { queries } from "../../../api/queries.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { visibleLine } from "../../../ui/text/visible-text.ts";

const STATES: Record<Instruction["state"], { word: string; tone: Tone }> = {
  new: { word: "New, not used yet", tone: "warn" },
  accepted: { word: "Accepted", tone: "good" },
  changed: { word: "Changed since you accepted it", tone: "warn" },
};

/** AGENTS.md and CLAUDE.md of the working folder: agents follow what the person accepted. */
export function Instructions({ project }: { project: string }) {
  const { data } = useQuery(queries.instructions(project));
  const found = data?.instructions ?? [];
  if (found.length === 0) return null;
  return (
    <Section title="Instructions" count={found.length}>
      <ul aria-label="Instructions" className="rounded-lg border border-line bg-card">
        {found.map((instruction) => (
          <InstructionRow key={instruction.path} project={project} instruction={instruction} />
        ))}
      </ul>
    </Section>
  );
}

function InstructionRow({ project, instruction }: { project: string; instruction: Instruction }) {
  const { path, state, text, acceptedText, hash } = instruction;
  const accept = useAct("acceptInstructions", { done: `Accepted ${path}.`, onFailure: shownInline });
  return (
    <li className="flex flex-col gap-2 border-b border-line px-3 py-2.5 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <code className="text-sm font-medium">{visibleLine(path)}</code>
        <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
      </div>
      {acceptedText !== undefined && <Text title="Accepted text (in use)" text={acceptedText} />}
      <Text title={state === "accepted" ? "Text" : "Current text"} text={text} isOpen={state !== "accepted"} />
      {accept.error !== null && <Trouble error={accept.error} />}
      {state !== "accepted" && (
        <div>
          <Button
            kind="primary"
            busy={accept.isPending}
            onClick={() => accept.mutate({ params: { id: project }, body: { path, hash } })}
          >
            Accept {path}
          </Button>
        </div>
      )}
    </li>
  );
}

/** As agents read it: laid out, Markdown leaves things out. */
function Text({ title, text, isOpen = false }: { title: string; text: string; isOpen?: boolean }) {
  return (
    <details open={isOpen} className="text-sm">
      <summary className="text-faint">{title}</summary>
      <pre className="mt-1 max-h-96 overflow-auto text-xs break-words whitespace-pre-wrap">{visibleLine(text)}</pre>
    </details>
  );
}
