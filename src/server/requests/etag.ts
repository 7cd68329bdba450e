import { createHash } from "node:crypto";
import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { Route } from "../../contract/routes/route.ts";

const DOCUMENTS = ["task", "role", "project", "file", "statement"] as const;

interface Document {
  etag?: unknown;
  blocks?: unknown;
  blockedBy?: unknown;
  waitingOn?: unknown;
}

/** The etag of the document an answer holds, and of what ties it to others; lists and reports have none. */
export function etagOf(answer: object): string | undefined {
  for (const name of DOCUMENTS) {
    const document = (answer as Record<string, Document | undefined>)[name];
    if (typeof document?.etag === "string") return document.etag + tiesOf(document);
  }
  return undefined;
}

/** The files of other tasks tell what a task blocks and waits for; a copy is stale when they do, with its own file as it was. */
function tiesOf({ blocks, blockedBy, waitingOn }: Document): string {
  const ties = [blocks, blockedBy, waitingOn];
  if (!ties.some((list) => Array.isArray(list) && list.length > 0)) return "";
  return `.${createHash("sha256").update(JSON.stringify(ties)).digest("hex").slice(0, 8)}`;
}

/** Whether answers of an endpoint have an ETag. */
export function isTagged({ response }: Route): boolean {
  return documentIn(response) !== undefined;
}

/** Whether If-None-Match may be answered with 304. What a project counts and lists changes without its etag. */
export function isTaggedForReading({ response }: Route): boolean {
  const name = documentIn(response);
  return name !== undefined && name !== "project";
}

function documentIn(response: z.ZodType): (typeof DOCUMENTS)[number] | undefined {
  if (!(response instanceof z.ZodObject)) return undefined;
  return DOCUMENTS.find((name) => {
    const document: unknown = response.shape[name];
    return document instanceof z.ZodObject && "etag" in document.shape;
  });
}

/** Whether the client's copy is still the answer. What a project counts and lists changes without its etag. */
export function isUnchanged(answer: object, ifNoneMatch: string | undefined): boolean {
  const etag = etagOf(answer);
  if (ifNoneMatch === undefined || etag === undefined || "project" in answer) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((entry) => unquoted(entry.trim().replace(/^W\//, "")) === etag);
}

/** The etag of the file a change is based on. `*` asks for no particular one. */
export function parseIfMatch(header: string | undefined): string | undefined {
  const value = header?.trim();
  if (value === undefined || value === "*") return undefined;
  if (value === "" || value.startsWith("W/") || value.includes(",") || /\s/.test(value)) {
    throw new HallError("malformed", "If-Match must be one strong etag in quotes, or *.", {
      hint: "Send the ETag of the document as it was read.",
    });
  }
  return unquoted(value).replace(/\.[0-9a-f]{8}$/, "");
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
