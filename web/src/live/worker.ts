import { type FromPage, LiveHub } from "./hub.ts";

const hub = new LiveHub();
const scope = self as unknown as { onconnect: (event: MessageEvent) => void };

scope.onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  const page = { post: (said: unknown) => port.postMessage(said) };
  port.onmessage = ({ data }: MessageEvent<FromPage>) => hub.hear(page, data);
};
