import { z } from "zod";
import type { HallEvent } from "../../contract/event.ts";
import type { Notification } from "./webhook.ts";

/** As whoever makes briefings writes it into the event. */
const Told = z.looseObject({ text: z.string(), needs: z.string() });

/** Undefined: nobody is notified of the event. */
export function briefingNotification({ type, subject, after = {}, at }: HallEvent): Notification | undefined {
  const told = Told.safeParse(after);
  if (type !== "briefing.created" || !told.success) return undefined;
  const { text, ...rest } = told.data;
  return {
    event: "briefing.created",
    ...{ run: "", task: "", project: "" },
    summary: text,
    saidBy: "hall",
    status: "",
    briefing: { day: subject.id, ...rest },
    at,
  };
}
