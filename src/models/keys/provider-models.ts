import { ModelFailure } from "../../contract/runs/model-call.ts";
import { asModelFailure } from "../failures.ts";
import type { Provider } from "../providers.ts";

const VENDOR_ADDRESS: Readonly<Record<Provider["kind"], string>> = {
  anthropic: "https://api.anthropic.com/v1",
  openai: "https://api.openai.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};
const LARGEST = 8 * 1024 * 1024;
const MOST_MODELS = 2_000;
const LONGEST_NAME = 160;

export interface ListedModel {
  id: string;
  /** When it was published, in any unit that grows; 0 when unknown. */
  created: number;
}

/** `unlisted`: the server answers, but does not list its models. */
export type Listing =
  | { state: "listed"; models: ListedModel[] }
  | { state: "unlisted" }
  | { state: "failed"; failure: ModelFailure };

interface Asking {
  get: typeof fetch;
  signal: AbortSignal;
  now: () => number;
}

/** The models that a provider offers for conversations. Never rejects. */
export async function listModels(provider: Provider, { get, signal, now }: Asking): Promise<Listing> {
  try {
    const { url, headers } = requestFor(provider);
    const answer = await get(url, { headers, signal });
    const text = (await answer.text()).slice(0, LARGEST);
    if (answer.ok) return listingIn(text, provider.apiKey);
    const failure = asModelFailure(
      { statusCode: answer.status, message: answer.statusText, responseBody: text, responseHeaders: headersOf(answer) },
      now,
    );
    const isMissing = failure.kind === "unknown_model" || answer.status === 405 || answer.status === 501;
    return isMissing ? { state: "unlisted" } : { state: "failed", failure };
  } catch (error) {
    if (signal.aborted)
      return { state: "failed", failure: new ModelFailure("timeout", "The provider did not answer in time.") };
    return { state: "failed", failure: asModelFailure(error, now) };
  }
}

function requestFor({ kind, baseUrl, apiKey }: Provider): { url: string; headers: Record<string, string> } {
  const base = baseUrl ?? VENDOR_ADDRESS[kind];
  const key = apiKey === undefined ? undefined : apiKey;
  switch (kind) {
    case "anthropic":
      return {
        url: `${base}/models?limit=1000`,
        headers: { "anthropic-version": "2023-06-01", ...(key === undefined ? {} : { "x-api-key": key }) },
      };
    case "google":
      return { url: `${base}/models?pageSize=1000`, headers: key === undefined ? {} : { "x-goog-api-key": key } };
    case "openai":
    case "openai-compatible":
      return { url: `${base}/models`, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } };
  }
}

function headersOf(answer: Response): Record<string, string> {
  return Object.fromEntries(answer.headers);
}

/** What is not a list, such as the page of a proxy, says nothing about models. */
function listingIn(text: string, key = ""): Listing {
  const list = listOf(text);
  if (list === undefined) return { state: "unlisted" };
  // A server may repeat the key as a name, which would be shown and written into config.yml.
  const isKey = (id: string) => key !== "" && id.includes(key);
  const models = list
    .slice(0, MOST_MODELS)
    .flatMap((each) => modelIn(each) ?? [])
    .filter(({ id }) => !isKey(id));
  return { state: "listed", models };
}

function listOf(text: string): unknown[] | undefined {
  try {
    const { data, models } = JSON.parse(text) as { data?: unknown; models?: unknown };
    return [data, models].find((list) => Array.isArray(list));
  } catch {
    return undefined;
  }
}

/** Models for images, speech and embeddings cannot do the work of agents. */
const OTHER_WORK =
  /embed|whisper|tts|dall-e|moderation|imagen|veo|aqa|transcribe|realtime|audio|image|davinci|babbage|rerank|sora|guard/i;

function modelIn(value: unknown): ListedModel | undefined {
  const {
    id,
    name,
    created,
    created_at,
    supportedGenerationMethods: methods,
  } = (value ?? {}) as Record<string, unknown>;
  const text = typeof id === "string" ? id : typeof name === "string" ? name.replace(/^models\//, "") : "";
  if (text === "" || text.length > LONGEST_NAME || /\s|\p{Cc}/u.test(text) || OTHER_WORK.test(text)) return undefined;
  if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
  return { id: text, created: timeOf(created ?? created_at) };
}

function timeOf(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const parsed = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(parsed) ? 0 : parsed / 1_000;
}
