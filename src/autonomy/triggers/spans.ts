/** The time after one moment up to another. */
export interface Span {
  after: number;
  to: number;
}

/** With one more, in order. Of more than are kept, those become one between which least time is. */
export function withSpan(spans: readonly Span[], added: Span, most: number): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans, added].sort((left, right) => left.after - right.after)) {
    const last = joined.at(-1);
    if (last !== undefined && span.after <= last.to) joined[joined.length - 1] = join(last, span);
    else joined.push(span);
  }
  if (joined.length <= most) return joined;
  const gap = (at: number) => (joined[at]?.after ?? Number.POSITIVE_INFINITY) - (joined[at - 1]?.to ?? 0);
  let nearest = 1;
  for (let at = 2; at < joined.length; at++) if (gap(at) < gap(nearest)) nearest = at;
  joined.splice(nearest - 1, 2, join(joined[nearest - 1] as Span, joined[nearest] as Span));
  return joined;
}

function join(left: Span, right: Span): Span {
  return { after: left.after, to: Math.max(left.to, right.to) };
}

/** What is left of a span without others, in order. */
export function without(spans: readonly Span[], { after, to }: Span): Span[] {
  const left: Span[] = [];
  let from = after;
  for (const span of spans) {
    if (span.to <= from || span.after >= to) continue;
    if (span.after > from) left.push({ after: from, to: span.after });
    from = span.to;
  }
  if (from < to) left.push({ after: from, to });
  return left;
}

/** The end of the span that a moment is in. */
export function endOf(spans: readonly Span[], moment: number): number | undefined {
  return spans.find(({ after, to }) => moment > after && moment <= to)?.to;
}
