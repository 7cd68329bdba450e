import { activityText } from "../tool-call.ts";

/** `reply {"channelType":"project","channelId":"shop",…}` as `asking shop`. */
export function talkActivity(activity: string): string {
  const project = /^reply \{.*"channelType"\s*:\s*"project"/s.test(activity);
  const id = /"channelId"\s*:\s*"([^"]+)"/.exec(activity)?.[1];
  if (project && id !== undefined) return `asking ${id}`;
  if (activity.startsWith("reply {")) return "answering";
  return activityText(activity);
}
