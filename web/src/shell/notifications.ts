import { useSyncExternalStore } from "react";
import { watchers } from "../ui/hooks/watchers.ts";
import type { News } from "./needs-news.ts";

/**
 * `unavailable`: the browser shows none here, as over plain HTTP, or on an iPhone before the page is on the home screen.
 * `blocked`: the person refused them in the browser.
 */
export type NotificationState = "unavailable" | "blocked" | "off" | "on";

const NAME = "guildhall.notifications";
const WORKER = "/notifications-worker.js";
const { watch, tell } = watchers();

function stateNow(): NotificationState {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return "unavailable";
  if (Notification.permission === "denied") return "blocked";
  return localStorage.getItem(NAME) === "on" && Notification.permission === "granted" ? "on" : "off";
}

export function useNotificationState(): NotificationState {
  return useSyncExternalStore(watch, stateNow);
}

/** To be called from a click: browsers ask the person only then. */
export async function turnOnNotifications(): Promise<void> {
  if ((await Notification.requestPermission()) === "granted") {
    localStorage.setItem(NAME, "on");
    await worker();
  }
  tell();
}

export function turnOffNotifications(): void {
  localStorage.removeItem(NAME);
  tell();
}

/** In several tabs the same news has the same tag, and shows once. */
export async function notify({ key, title, body, path }: News): Promise<void> {
  if (stateNow() !== "on") return;
  const options = { body, tag: key, data: { path }, icon: "/icon-192.png" };
  const registered = await worker();
  if (registered !== undefined) return registered.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    location.assign(path);
  };
}

/** Undefined where there are no such workers: the page then shows notifications itself. */
async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    await navigator.serviceWorker.register(WORKER);
    return await navigator.serviceWorker.ready;
  } catch {
    return undefined;
  }
}

// The person may have allowed or blocked them in the browser meanwhile.
addEventListener("focus", () => tell());
addEventListener("storage", ({ key }) => {
  if (key === NAME) tell();
});
