import type { ReactNode, RefObject } from "react";
import { isAway } from "../../api/failure.ts";
import { Loading, Trouble } from "../../ui/states.tsx";
import { Composer } from "./composer.tsx";
import { MessageList } from "./message-list.tsx";
import type { TalkPlace } from "./talk-place.ts";
import { useConversation } from "./use-conversation.ts";

export interface Suggestion {
  title: string;
  text: string;
}

/** One conversation: with the main agent, or with a project's. */
export function Conversation({
  place,
  field,
  label,
  welcome,
  suggestions,
  instead,
}: {
  place: TalkPlace;
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  welcome: string;
  suggestions: readonly Suggestion[];
  /** Stands where the person would write, when nobody listens. */
  instead?: ReactNode;
}) {
  const talk = useConversation(place);
  const { query, state, outbox } = talk;
  const isEmpty = state.messages.length + outbox.unsent.length === 0 && state.answering === undefined;
  const isUnknown = query.data === undefined && isEmpty;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {isUnknown ? (
        <div className="flex-1 overflow-y-auto px-4 py-4">
          {query.isPending || isAway(query.error) ? (
            <Loading label="Loading messages" />
          ) : (
            <Trouble error={query.error} retry={() => void query.refetch()} />
          )}
        </div>
      ) : isEmpty ? (
        <Welcome
          text={welcome}
          suggestions={instead === undefined ? suggestions : []}
          onChoose={(text) => {
            outbox.write(text);
            field.current?.focus();
          }}
        />
      ) : (
        <MessageList talk={talk} place={place} />
      )}
      {instead ?? (
        <Composer
          field={field}
          draft={outbox.draft}
          label={label}
          isBusy={state.answering !== undefined}
          onWrite={outbox.write}
          onSay={talk.say}
          onStop={talk.stop}
        />
      )}
    </div>
  );
}

function Welcome({
  text,
  suggestions,
  onChoose,
}: {
  text: string;
  suggestions: readonly Suggestion[];
  onChoose: (text: string) => void;
}) {
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-3xl flex-1 flex-col justify-end gap-4 overflow-y-auto px-4 py-5">
      <p className="text-sm text-faint">{text}</p>
      {suggestions.length > 0 && (
        <ul aria-label="Suggestions" className="flex flex-col gap-2">
          {suggestions.map(({ title, text: words }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => onChoose(words)}
                className="w-full rounded-lg border border-line bg-card px-3 py-2 text-left hover:bg-sunk"
              >
                <span className="block text-sm font-medium">{title}</span>
                <span className="block text-sm text-faint">{words}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
