import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { HallEvent } from "../../../../src/contract/event.ts";
import { queries } from "../../api/queries.ts";
import { buttonLook } from "../../ui/button.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { Loaded } from "../../ui/states.tsx";
import { NamesOfEvents, useEventNames } from "../activity/event-names.ts";
import { EventRow } from "../activity/event-row.tsx";

const LAST = 12;
const NONE: readonly HallEvent[] = [];

/** What happened in the project last. */
export function RecentEvents({ id }: { id: string }) {
  const found = useQuery(queries.recentEvents(id, LAST));
  const names = useEventNames(found.data?.events ?? NONE, { project: id, limit: 20 });
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
          <NamesOfEvents value={names}>
            <Card>
              <ol aria-label="What happened" className="px-2">
                {events.toReversed().map((event) => (
                  <li key={event.id} className="[&:last-child>div]:border-b-0">
                    <EventRow event={event} showProject={false} />
                  </li>
                ))}
              </ol>
            </Card>
          </NamesOfEvents>
        )}
      </Loaded>
    </Section>
  );
}
