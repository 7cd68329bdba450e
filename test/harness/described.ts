import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { addresses } from "../../src/server/addresses.ts";
import { type ApiDescription, describeApi, type Operation } from "../../src/server/openapi.ts";

export interface Answered {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  /** As text when it is no JSON object. */
  body: unknown;
}

interface Described {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: { $ref: string } }>;
}

/** Headers that only some answers have, and that an answer may not have without its description saying so. */
const TOLD_HEADERS = ["etag", "idempotency-replayed", "set-cookie", "www-authenticate", "retry-after"];

/** Made with the first answer that is looked at: the document, and a check for each of its schemas that is used. */
let document: ApiDescription | undefined;
const ajv = new Ajv2020({
  ...{ strict: false, validateFormats: false, validateSchema: false, meta: false },
  // Each process of tests compiles what it meets: faster checks would not make up for what it takes to make them so.
  ...{ inlineRefs: false, code: { optimize: false } },
});
const checks = new Map<string, ValidateFunction>();

/** Throws when an answer is not what the API's own description says of its operation and status. */
export function assertDescribed(answered: Answered): void {
  const { method, path, status, body } = answered;
  const found = describedFor(answered);
  if (found === undefined) return;
  const told = `${method} ${path} answered ${status}`;
  for (const header of TOLD_HEADERS) {
    const names = Object.keys(found.headers ?? {}).map((name) => name.toLowerCase());
    if (answered.headers.has(header) && !names.includes(header))
      throw new Error(`${told} with the header ${header}, which its description does not have`);
  }
  const ref = found.content?.["application/json"]?.schema.$ref;
  if (ref === undefined || method === "HEAD") return;
  const check = checkOf(ref);
  if (!check(body))
    throw new Error(`${told}, not as ${ref} describes it: ${ajv.errorsText(check.errors)}: ${JSON.stringify(body)}`);
}

function describedFor({ method, path, status }: Answered): Described | undefined {
  document ??= opened();
  const operation = operationAt(document, method === "HEAD" ? "GET" : method, path.split("?")[0] ?? "");
  if (operation !== undefined) return resolved(document, operation.responses[status] ?? operation.responses.default);
  return status >= 400 && path.startsWith("/api/") ? resolved(document, ANY_ERROR) : undefined;
}

const ANY_ERROR = { $ref: "#/components/responses/Error" };

function opened(): ApiDescription {
  const api = describeApi("0.0.0", "http://127.0.0.1");
  ajv.addSchema({ components: { schemas: api.components.schemas } }, "api");
  return api;
}

const patterns = addresses.map(({ method, path }) => ({
  method,
  path: path.replace(/:(\w+)/g, "{$1}"),
  pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
}));

function operationAt(api: ApiDescription, method: string, path: string): Operation | undefined {
  const at = patterns.find((address) => address.method === method && address.pattern.test(path));
  return at && api.paths[at.path]?.[method.toLowerCase()];
}

function resolved(api: ApiDescription, response: unknown): Described {
  const { $ref } = response as { $ref?: string };
  if ($ref === undefined) return response as Described;
  const responses = api.components.responses as Record<string, Described>;
  return responses[$ref.split("/").at(-1) ?? ""] ?? {};
}

function checkOf(ref: string): ValidateFunction {
  const check = checks.get(ref) ?? ajv.compile({ $ref: `api${ref}` });
  checks.set(ref, check);
  return check;
}
