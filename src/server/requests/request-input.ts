import type { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { Route } from "../../contract/routes/route.ts";
import type { Arrival } from "../arrival.ts";
import { isJson, unsupportedType } from "../guard.ts";
import { BODY_LIMIT, decodeJsonObject } from "./json-body.ts";
import { checked } from "./schema-check.ts";

const NO_BYTES = new Uint8Array();

export function parseQuery<Schema extends z.ZodType>(search: string, schema: Schema): z.output<Schema>;
export function parseQuery(search: string, schema: z.ZodType | undefined): unknown;
export function parseQuery(search: string, schema: z.ZodType | undefined): unknown {
  if (search === "") return schema && checked(schema, {});
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in fields) throw new HallError("invalid", `${name}: must not be given more than once`);
    fields[name] = value;
  }
  if (schema) return checked(schema, { ...fields });
  throw new HallError("invalid", `${Object.keys(fields).join(", ")}: this request takes no query parameters`);
}

/** The bytes of the body; none where the endpoint takes none and none came. */
export async function readBytes(arrival: Arrival, route: Route, limit = BODY_LIMIT): Promise<Uint8Array> {
  const isNeeded = route.body !== undefined && (route.bodyOptional !== true || arrival.hasBody);
  if (isNeeded && !isJson(arrival)) throw unsupportedType();
  return arrival.hasBody ? arrival.readBody(limit) : NO_BYTES;
}

/** The JSON object in the bytes, not yet checked against the route; undefined where the endpoint takes none. */
export function decodeBody(bytes: Uint8Array, route: Route): Record<string, unknown> | undefined {
  if (bytes.length === 0 && (!route.body || route.bodyOptional)) return route.body && {};
  const fields = decodeJsonObject(bytes);
  if (route.body) return fields;
  if (Object.keys(fields).length === 0) return undefined;
  throw new HallError("invalid", `${Object.keys(fields).join(", ")}: this request takes no body`);
}
