import { marked } from "./marks.ts";

export function MarkedText({ text, query }: { text: string; query: string }) {
  return (
    <bdi>
      {marked(text, query).map(({ text: piece, isMatch }, at) =>
        isMatch ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <mark key={at} className="rounded-sm bg-accent-soft text-accent">
            {piece}
          </mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <span key={at}>{piece}</span>
        ),
      )}
    </bdi>
  );
}
