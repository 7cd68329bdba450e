import type { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";

const CONTEXT = 2;

/** What another spec changes, by ids of requirements; `removed` also has ids of criteria that are gone. */
export function specDelta(before: TeamSpec, after: TeamSpec): Record<"added" | "changed" | "removed", string[]> {
  const old = new Map(before.requirements.map((one) => [one.id, one]));
  const now = new Map(after.requirements.map((one) => [one.id, one]));
  const kept = new Set(after.requirements.flatMap(({ acceptance }) => acceptance.map(({ id }) => id)));
  const criteria = before.requirements
    .filter(({ id }) => now.has(id))
    .flatMap(({ acceptance }) => acceptance.map(({ id }) => id));
  return {
    added: [...now.keys()].filter((id) => !old.has(id)),
    changed: [...now.keys()].filter((id) => old.has(id) && JSON.stringify(old.get(id)) !== JSON.stringify(now.get(id))),
    removed: [...[...old.keys()].filter((id) => !now.has(id)), ...criteria.filter((id) => !kept.has(id))],
  };
}

type Line = [mark: " " | "-" | "+", text: string];

/** A unified diff of two texts, by lines. */
export function lineDiff(before: string, after: string): string {
  const lines = alignedLines(before.trimEnd().split("\n"), after.trimEnd().split("\n"));
  const shown = new Set(
    lines.flatMap(([mark], at) =>
      mark === " " ? [] : Array.from({ length: 2 * CONTEXT + 1 }, (_, step) => at - CONTEXT + step),
    ),
  );
  const texts: string[] = [];
  const place = { old: 1, now: 1 };
  for (const [at, [mark, text]] of lines.entries()) {
    if (shown.has(at)) {
      if (!shown.has(at - 1) || at === 0) texts.push(`@@ -${place.old} +${place.now} @@`);
      texts.push(`${mark}${text}`);
    }
    if (mark !== "+") place.old++;
    if (mark !== "-") place.now++;
  }
  return texts.join("\n");
}

/** By the longest common part. */
function alignedLines(old: readonly string[], now: readonly string[]): Line[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--) {
      const [here, below] = [lengths[row] as Uint16Array, lengths[row + 1] as Uint16Array];
      here[column] =
        old[row] === now[column] ? (below[column + 1] ?? 0) + 1 : Math.max(below[column] ?? 0, here[column + 1] ?? 0);
    }
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [text, other] = [old[row], now[column]];
    if (text !== undefined && text === other) {
      lines.push([" ", text]);
      row++;
      column++;
    } else if (
      other === undefined ||
      (text !== undefined && lengthAt(lengths, row + 1, column) >= lengthAt(lengths, row, column + 1))
    ) {
      lines.push(["-", text ?? ""]);
      row++;
    } else {
      lines.push(["+", other]);
      column++;
    }
  }
  return lines;
}

const lengthAt = (lengths: readonly Uint16Array[], row: number, column: number) => lengths[row]?.[column] ?? 0;
