import { describe, expect, it } from "vitest";
import { endOf, type Span, without, withSpan } from "./spans.ts";

const span = (after: number, to: number): Span => ({ after, to });

describe("spans", () => {
  it("become one where they touch, and of too many those between which least time is", () => {
    const added = [span(10, 20), span(40, 50), span(20, 30), span(45, 60), span(0, 5)];
    const spans = added.reduce<Span[]>((all, one) => withSpan(all, one, 10), []);
    expect(spans).toEqual([span(0, 5), span(10, 30), span(40, 60)]);
    expect(withSpan(spans, span(100, 101), 3)).toEqual([span(0, 30), span(40, 60), span(100, 101)]);
  });

  it("leave what is between them, and end where they are over", () => {
    const spans = [span(10, 20), span(30, 40)];
    expect(without(spans, span(0, 50))).toEqual([span(0, 10), span(20, 30), span(40, 50)]);
    expect(without(spans, span(12, 35))).toEqual([span(20, 30)]);
    expect(without(spans, span(30, 40))).toEqual([]);
    expect([10, 11, 20, 21].map((at) => endOf(spans, at))).toEqual([undefined, 20, 20, undefined]);
  });
});
