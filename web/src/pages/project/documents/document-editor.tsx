import { useState } from "react";
import { failureOf } from "../../../api/failure.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { Meanwhile } from "../../../ui/meanwhile.tsx";
import { Trouble } from "../../../ui/states.tsx";

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
        <Meanwhile
          what="This file"
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
