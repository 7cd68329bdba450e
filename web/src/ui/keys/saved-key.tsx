import type { KeyAnswer } from "../../../../src/contract/routes/model-routes.ts";
import { Badge } from "../badge.tsx";
import { testWords } from "./test-words.ts";

/** What became of a key that was saved. */
export function SavedKey({ answer: { provider, test, defaultModel, offline } }: { answer: KeyAnswer }) {
  const { tone, text } = testWords(provider, test);
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      <p>
        <Badge tone={tone}>{tone === "good" ? "Key works" : "Key saved"}</Badge> {text}
      </p>
      <p className="text-faint">
        Default model: <code>{defaultModel}</code>
      </p>
      {offline && <p className="text-warn">Guildhall is set to offline, so no provider is used.</p>}
    </div>
  );
}
