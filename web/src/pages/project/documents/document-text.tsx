import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { ScrollBox } from "../../../ui/scroll-box.tsx";
import { Markdown } from "../../../ui/text/markdown.tsx";
import { documentKind, MOST_SHOWN, shownJson } from "./document-kind.ts";

/** The text of a document of anybody: Markdown without HTML, JSON in lines, all else as it is. */
export function DocumentText({ path, content }: { path: string; content: string }) {
  const [isSource, setSource] = useState(false);
  const kind = documentKind(path);
  const text = content.slice(0, MOST_SHOWN);
  if (content.trim() === "") return <p className="text-sm text-faint">The file is empty.</p>;
  return (
    <div className="relative flex min-w-0 flex-col gap-3">
      {kind === "markdown" && (
        <Button
          size="small"
          kind="ghost"
          aria-pressed={isSource}
          onClick={() => setSource(!isSource)}
          className="absolute -top-2 -right-2 bg-card"
        >
          {isSource ? "Show it laid out" : "Show the source"}
        </Button>
      )}
      {kind === "markdown" && !isSource ? (
        <div className="min-w-0 max-w-prose">
          <Markdown text={text} />
        </div>
      ) : (
        <ScrollBox label={`Text of ${path}`} look="text" className="max-h-[70vh]">
          {kind === "json" ? shownJson(text) : text}
        </ScrollBox>
      )}
      {content.length > MOST_SHOWN && (
        <p className="text-xs text-faint">This is only the beginning. Download the file to read all of it.</p>
      )}
    </div>
  );
}
