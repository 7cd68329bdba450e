import { lazy, Suspense } from "react";

const Rendered = lazy(() => import("./markdown-rendered.tsx"));

/** Markdown of anybody: no HTML, no pictures from elsewhere, links that say where they lead. The text itself until it is ready. */
export function Markdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
      <Rendered text={text} />
    </Suspense>
  );
}
