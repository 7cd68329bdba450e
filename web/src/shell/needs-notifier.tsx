import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { queries } from "../api/queries.ts";
import { freshNews, grouped, newsIn } from "./needs-news.ts";
import { notify, useNotificationState } from "./notifications.ts";

/** Says what needs the person while nobody looks at the page. */
export function NeedsNotifier() {
  const { data } = useQuery(queries.now());
  const known = useRef<ReadonlySet<string>>(undefined);
  const isOn = useNotificationState() === "on";
  useEffect(() => {
    if (data === undefined) return;
    const news = newsIn(data);
    const fresh = freshNews(known.current, news);
    known.current = new Set(news.map(({ key }) => key));
    if (!isOn || (document.visibilityState === "visible" && document.hasFocus())) return;
    for (const one of grouped(fresh)) void notify(one).catch(() => undefined);
  }, [data, isOn]);
  return null;
}
