// Shows notifications where pages may not do it themselves (Android, installed apps). It keeps nothing and fetches nothing.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = String(event.notification.data?.path ?? "/");
  // Only pages of our own are opened, whatever a notification says.
  const { href, origin } = new URL(path, self.location.origin);
  if (origin !== self.location.origin) return;
  event.waitUntil(show(href));
});

async function show(href) {
  const [open] = await self.clients.matchAll({ type: "window" });
  if (open === undefined) return self.clients.openWindow(href);
  const focused = await open.focus();
  return focused.navigate(href);
}
