import { SendHorizontal } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/failure.ts";
import { shownInline, useAct } from "../../../api/use-act.ts";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";

/** Something said to an agent at work; it reads it before its next turn. What is typed stays until it has arrived. */
export function MessageBox({ runId }: { runId: string }) {
  const [text, setText] = useState("");
  const send = useAct("messageRun", {
    done: "Sent. The agent reads it before its next turn.",
    onDone: () => setText(""),
    onFailure: shownInline,
  });
  const submit = () => {
    if (text.trim() === "" || send.isPending) return;
    send.mutate({ params: { runId }, body: { text } });
  };
  return (
    <form
      className="sticky bottom-0 z-10 mt-2 flex items-end gap-2 border-t border-line bg-paper py-3 max-md:bottom-[45px]"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="min-w-0 flex-1">
        <TextArea
          label="Message to the agent"
          hideLabel
          rows={1}
          placeholder="Message the agent…"
          value={text}
          error={send.error === null ? undefined : wordsOf(send.error)}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
      </div>
      <Button type="submit" kind="primary" busy={send.isPending} disabled={text.trim() === ""}>
        <SendHorizontal size={14} aria-hidden />
        Send
      </Button>
    </form>
  );
}

function wordsOf(error: unknown): string {
  const { message, hint } = failureOf(error);
  return hint === undefined ? message : `${message} ${hint}`;
}
