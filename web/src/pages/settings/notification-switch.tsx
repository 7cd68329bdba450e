import {
  type NotificationState,
  turnOffNotifications,
  turnOnNotifications,
  useNotificationState,
} from "../../shell/notifications.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { tellFailure } from "../../ui/toasts.tsx";

const WORDS: Record<NotificationState, string> = {
  unavailable:
    "This browser can't show notifications here. They need an https:// address or this machine; on an iPhone or iPad, add the page to the home screen first.",
  blocked: "Notifications are blocked. Allow them for this page in your browser's settings.",
  off: "Get a notification when something needs you or is ready for review, while this page is open or installed as an app.",
  on: "You get a notification when something needs you or is ready for review, while this page is open in the background. Nothing is sent to third parties.",
};

/** For this browser alone. */
export function NotificationSwitch() {
  const state = useNotificationState();
  return (
    <Section title="Notifications">
      <Card className="flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="min-w-0 flex-1 basis-64 text-sm">{WORDS[state]}</p>
        {state === "off" && (
          <Button kind="primary" onClick={() => void turnOnNotifications().catch(tellFailure)}>
            Turn on notifications
          </Button>
        )}
        {state === "on" && <Button onClick={turnOffNotifications}>Turn off notifications</Button>}
      </Card>
    </Section>
  );
}
