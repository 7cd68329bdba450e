import { lazy, Suspense } from "react";
import { code } from "../../api/code.ts";

const Rendered = lazy(code(() => import("./markdown-rendered.tsx")));

/**
 * Markdown of anybody: no HTML, no pictures from elsewhere, links that say where they lead. The text itself until it is
 * ready. `project`: whose tasks are meant by their ids, which then lead to them.
 */
export function Markdown({ text, project }: { text: string; project?: string | undefined }) {
  return (
    <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
      <Rendered text={text} project={project} />
    </Suspense>
  );
}
