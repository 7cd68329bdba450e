import type { TeamSpec } from "../../../../../src/contract/documents/teams/team-spec.ts";
import { CHECK_WORDS } from "../../../../../src/contract/words/teams/team-choices.ts";
import { visibleLine } from "../../../ui/text/visible-text.ts";

/** A spec at a glance: what has to be true in the end, and how each point is proven. */
export function SpecSummary({ spec }: { spec: TeamSpec }) {
  return (
    <div className="flex flex-col gap-3 text-sm">
      <Behavior spec={spec} />
      <Points name="Goals" points={spec.goals} />
      <ol aria-label="Requirements" className="overflow-hidden rounded-md border border-line">
        {spec.requirements.map(({ id, text, acceptance }) => (
          <li key={id} className="border-b border-line px-3 py-1.5 last:border-b-0">
            <p className="wrap-anywhere">
              <span className="mr-2 font-mono text-xs text-faint">{id}</span>
              <bdi className="font-medium">{visibleLine(text)}</bdi>
            </p>
            <ul className="text-xs text-faint">
              {acceptance.map((criterion) => (
                <li key={criterion.id} className="wrap-anywhere">
                  {CHECK_WORDS[criterion.kind]}: <bdi>{visibleLine(criterion.text)}</bdi>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <Points name="Not in scope" points={spec.nonGoals} />
      <Points name="Risks" points={spec.risks} />
      <Points name="Done when" points={spec.definitionOfDone} />
    </div>
  );
}

/** Of a fix. */
function Behavior({ spec: { current, expected, unchanged } }: { spec: TeamSpec }) {
  const parts = [
    ["Current behavior", current],
    ["Expected behavior", expected],
    ["Unchanged", unchanged],
  ] as const;
  if (parts.every(([, text]) => text === undefined)) return null;
  return (
    <dl className="flex flex-col gap-1">
      {parts.map(
        ([name, text]) =>
          text !== undefined && (
            <div key={name}>
              <dt className="text-xs font-semibold text-faint">{name}</dt>
              <dd dir="auto" className="whitespace-pre-line wrap-anywhere">
                {visibleLine(text)}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Points({ name, points }: { name: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <div>
      <p className="text-xs font-semibold text-faint">{name}</p>
      <ul className="list-disc pl-4">
        {points.map((point) => (
          <li key={point} dir="auto" className="wrap-anywhere">
            {visibleLine(point)}
          </li>
        ))}
      </ul>
    </div>
  );
}
