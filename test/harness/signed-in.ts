import type { Live } from "../../src/contract/runs/live.ts";

/** What a browser has when it is signed in. */
export interface SignedIn {
  cookie: string;
  "x-guildhall-page": string;
}

/** Exchanges the code of a link, as the dashboard does. */
export async function signIn(link: string): Promise<SignedIn> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/api/browser/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ code: hash.slice("#/enter/".length) }),
  });
  if (!answer.ok) throw new Error(`the link was refused: ${await answer.text()}`);
  const { key } = (await answer.json()) as { key: string };
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", "x-guildhall-page": key };
}

export interface LiveFrames {
  readonly frames: Live[];
  close(): void;
}

/** Reads the one stream of a browser and keeps what comes. */
export async function openLive(url: string, headers: object, search = ""): Promise<LiveFrames> {
  const ended = new AbortController();
  const answer = await fetch(`${url}/api/live${search}`, { headers: { ...headers }, signal: ended.signal });
  if (answer.status !== 200 || answer.body === null) throw new Error(`no stream: ${answer.status}`);
  const frames: Live[] = [];
  void keep(answer.body, frames).catch(() => undefined);
  return { frames, close: () => ended.abort() };
}

async function keep(body: ReadableStream<Uint8Array>, frames: Live[]): Promise<void> {
  let rest = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const kind = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined) frames.push({ kind, ...JSON.parse(data) });
    }
  }
}
