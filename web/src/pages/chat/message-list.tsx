import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { AnsweringRow, EndingRow, MessageRow, UnsentRow } from "./message-row.tsx";
import type { TalkPlace } from "./talk-place.ts";
import type { Talking } from "./use-conversation.ts";

/** This near to an edge counts as being there. */
const NEAR = 80;

/** What was said. It stays where one reads, and follows what is said where one is at the end. */
export function MessageList({ talk, place }: { talk: Talking; place: TalkPlace }) {
  const { state, outbox, isLoadingOlder } = talk;
  const { box, isBelow, onScroll, toEnd } = useFollowing(talk);
  const who = place.projectId === undefined ? place.names.main : place.names.project;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <ScrollBox ref={box} onScroll={onScroll} label="Messages" look="plain" className={BOX}>
        {state.hasOlder && (
          <Button kind="ghost" size="small" className="self-center" busy={isLoadingOlder} onClick={talk.older}>
            {isLoadingOlder ? "Loading…" : "Show older"}
          </Button>
        )}
        <ul aria-label="Messages" className="mx-auto mt-auto flex w-full max-w-3xl flex-col gap-5 text-sm">
          {state.messages.map((message) => (
            <MessageRow key={message.seq} message={message} names={place.names} projectId={place.projectId} />
          ))}
          {outbox.unsent.map((unsent) => (
            <UnsentRow
              key={unsent.id}
              unsent={unsent}
              onAgain={() => talk.again(unsent.id, unsent.text)}
              onTakeBack={() => {
                outbox.write([unsent.text, outbox.draft].filter((text) => text !== "").join("\n"));
                outbox.take(unsent.id);
              }}
            />
          ))}
          {state.answering !== undefined && (
            <AnsweringRow answering={state.answering} who={who} projectId={place.projectId} />
          )}
          {state.ending !== undefined && <EndingRow ending={state.ending} />}
        </ul>
      </ScrollBox>
      {isBelow && (
        <Button
          size="small"
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-md"
          onClick={toEnd}
        >
          <ArrowDown size={14} aria-hidden />
          Jump to latest
        </Button>
      )}
    </div>
  );
}

const BOX = "flex min-h-0 flex-1 flex-col gap-4 [overflow-anchor:none] px-4 py-4 -outline-offset-2";

function useFollowing({ state, outbox, older }: Talking) {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const height = useRef(0);
  const [isBelow, setBelow] = useState(false);
  const first = state.messages[0]?.seq;
  const shownFirst = useRef(first);
  const last = state.messages.at(-1);
  const shownLast = useRef(last?.seq);
  const shownUnsent = useRef(outbox.unsent.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever changes what is drawn
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const isOwn = last?.from === "person" && last.seq !== shownLast.current;
    if (isAtEnd.current || isOwn || outbox.unsent.length > shownUnsent.current)
      element.scrollTop = element.scrollHeight;
    // Older ones came in above: what was read stays where it was.
    else if (shownFirst.current !== undefined && first !== undefined && first < shownFirst.current)
      element.scrollTop += element.scrollHeight - height.current;
    shownFirst.current = first;
    shownLast.current = last?.seq;
    shownUnsent.current = outbox.unsent.length;
    height.current = element.scrollHeight;
  }, [first, last?.seq, state.answering, state.ending, outbox.unsent.length]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Markdown is drawn after the text, and the box changes with the window and the keyboard of a phone.
    const watch = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      height.current = element.scrollHeight;
    });
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    return () => watch.disconnect();
  }, []);
  return {
    box,
    isBelow,
    onScroll: () => {
      const element = box.current;
      if (element === null) return;
      const left = element.scrollHeight - element.scrollTop - element.clientHeight;
      isAtEnd.current = left < NEAR;
      setBelow(left > element.clientHeight);
      if (element.scrollTop < NEAR && !isAtEnd.current && state.hasOlder) older();
    },
    toEnd: () => box.current?.scrollTo({ top: box.current.scrollHeight }),
  };
}
