import { useState } from "react";
import { failureOf } from "../../api/failure.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Trouble } from "../../ui/states.tsx";

interface Version {
  content: string;
  etag: string;
}

interface EditorProps {
  label: string;
  /** As it is now; it may change while the person writes. */
  current: Version;
  busy: boolean;
  failure: unknown;
  onSave: (content: string, etag: string) => void;
  onClose: () => void;
}

/** Writes from the version that was shown. When somebody else was faster, what was written stays, and both are shown. */
export function DocumentEditor({ label, current, busy, failure, onSave, onClose }: EditorProps) {
  const [from, setFrom] = useState(current);
  const [text, setText] = useState(current.content);
  const isOvertaken = current.etag !== from.etag;
  const isRefused = failure != null && !(isOvertaken && failureOf(failure).code === "version_mismatch");
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text, from.etag);
      }}
    >
      {isOvertaken && (
        <Overtaken
          theirs={current.content}
          onTake={() => {
            setText(current.content);
            setFrom(current);
          }}
          onKeep={() => setFrom(current)}
        />
      )}
      <TextArea
        label={label}
        hideLabel
        rows={18}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="font-mono"
        spellCheck={false}
      />
      {isRefused && <Trouble error={failure} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={busy} disabled={text === from.content || isOvertaken}>
          Save
        </Button>
      </div>
    </form>
  );
}

function Overtaken({ theirs, onTake, onKeep }: { theirs: string; onTake: () => void; onKeep: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-lg border border-line bg-warn-soft px-3 py-2 text-sm">
      <p>It was changed meanwhile. What you wrote is still here, and nothing is saved yet.</p>
      <details>
        <summary>How it is now</summary>
        <pre className="mt-1 max-h-60 overflow-auto rounded bg-card p-2 text-xs whitespace-pre-wrap">{theirs}</pre>
      </details>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onKeep}>
          Go on with mine
        </Button>
        <Button size="small" onClick={onTake}>
          Take theirs instead
        </Button>
      </div>
    </div>
  );
}
