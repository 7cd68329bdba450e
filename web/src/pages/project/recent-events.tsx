import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { queries } from "../../api/queries.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Ago } from "../../ui/figures.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { howItMoved, whatAbout, whatHappened, whoDid } from "./event-words.ts";

const LAST = 12;

/** What happened in the project last. */
export function RecentEvents({ id }: { id: string }) {
  const found = useQuery(queries.recentEvents(id, LAST));
  return (
    <Section
      title="What happened"
      actions={
        <Link to="/activity" search={{ project: id }} className={buttonLook({ size: "small" })}>
          All activity
        </Link>
      }
    >
      <Loaded query={found}>
        {({ events }) => (
          <Card>
            <ol aria-label="What happened">
              {events.toReversed().map((event) => (
                <EventLine key={event.id} event={event} />
              ))}
            </ol>
          </Card>
        )}
      </Loaded>
    </Section>
  );
}

function EventLine({ event }: { event: HallEvent }) {
  const moved = howItMoved(event);
  return (
    <li className="flex items-baseline gap-3 border-b border-line px-4 py-2 text-sm last:border-b-0">
      <p className="min-w-0 flex-1">
        {whatHappened(event.type)}{" "}
        <span className="text-faint">
          <bdi>{whatAbout(event)}</bdi>
          {moved !== undefined && ` · ${moved}`} · by {whoDid(event.actor)}
        </span>
      </p>
      <Ago at={event.at} className="shrink-0 text-xs text-faint" />
    </li>
  );
}
