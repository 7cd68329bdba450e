import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { EndpointName } from "../../contract/routes/endpoints.ts";
import type { Route } from "../../contract/routes/route.ts";
import { routes } from "../../contract/routes/routes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

type Fields = Record<string, unknown>;
type Params = Record<string, string>;

interface Document {
  /** Follows from other documents and changes without this one; a copy of it says nothing and is passed over. */
  readonly computed?: readonly string[];
  current(hall: Hall, params: Params): Promise<Fields> | Fields;
}

/** Clients send whole documents back; these fields of theirs are the hall's to set. */
const documents: { readonly [Name in EndpointName]?: Document } = {
  updateTask: {
    computed: ["ready", "waitingOn"],
    current: (hall, { id = "", taskId = "" }) => hall.tasks.get(id, taskId),
  },
  createRole: {
    current: (hall) => ({ ...hall.roles.templates()[0]?.baseRole }),
  },
  updateRole: {
    current: (hall, { id = "" }) => hall.roles.get(id),
  },
  updateProject: {
    computed: ["taskCount", "files", "filesOmitted", "suspendedWhy", "requiresReview"],
    current: (hall, { id = "" }) => hall.projects.get(id),
  },
  updateAssignment: {
    current: (hall, { id = "", assignmentId = "" }) => ({
      ...hall.team.list(id).find((assignment) => assignment.id === assignmentId),
    }),
  },
};

/** The body without the read-only fields of its document; refused when one of them asks for a change. */
export async function withoutReadOnly(
  body: Fields,
  request: { name: EndpointName; hall: Hall; params: Params; ifMatch: string | undefined },
): Promise<Fields> {
  const document = documents[request.name];
  if (document === undefined) return body;
  const asked = Object.fromEntries(Object.entries(body).filter(([field]) => !document.computed?.includes(field)));
  const readOnly = readOnlyFields(routes[request.name]);
  if (!readOnly.some((field) => field in asked)) return asked;
  const current = await document.current(request.hall, request.params);
  // A stale copy differs in these fields too; that it is stale is what the client needs to hear.
  if (request.ifMatch !== undefined && current.etag !== undefined && current.etag !== request.ifMatch) {
    throw new HallError("version_mismatch", "The document has changed since it was read.");
  }
  return dropUnchanged(asked, readOnly, current);
}

/** Those of the document that a change cannot set. */
export function readOnlyFields({ document, body }: Route): string[] {
  const changeable = body instanceof z.ZodObject ? body.shape : {};
  return Object.keys(document?.shape ?? {}).filter((field) => !(field in changeable));
}

export function dropUnchanged(body: Fields, readOnly: readonly string[], current: Fields): Fields {
  const changed = readOnly.filter(
    (field) => field in body && !isDeepStrictEqual(body[field] ?? undefined, current[field]),
  );
  if (changed.length > 0) {
    throw new HallError("invalid", changed.map((field) => `${field}: cannot be changed`).join("; "), {
      hint: "Omit these fields, or read the document again and send them unchanged.",
    });
  }
  return Object.fromEntries(Object.entries(body).filter(([field]) => !readOnly.includes(field)));
}
