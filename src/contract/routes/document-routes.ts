import { z } from "zod";
import { FileEntry } from "../documents/project.ts";
import { fileName, fileText } from "../words/text.ts";
import { byId, page, paged, success } from "./route-parts.ts";

export const Artifact = z.strictObject({
  path: z.string(),
  date: z.string(),
  name: z.string(),
  /** Its first heading, or its name. */
  title: z.string(),
  size: z.int(),
  updatedAt: z.string(),
});
export type Artifact = z.infer<typeof Artifact>;
export const ArtifactCreate = z.strictObject({ name: fileName(200), content: fileText(8_000_000) });
export type ArtifactCreate = z.infer<typeof ArtifactCreate>;

export const documentRoutes = {
  listArtifacts: {
    summary: "Artifacts of a project, newest first.",
    group: "Documents",
    params: byId,
    query: z.strictObject(page),
    response: z.strictObject({ artifacts: z.array(Artifact), ...paged }),
  },
  createArtifact: {
    summary: "Save an artifact in today's folder; a taken name gets a number.",
    group: "Documents",
    params: byId,
    body: ArtifactCreate,
    response: z.strictObject({ ...success, artifact: Artifact }),
    status: 201,
  },
  listContext: {
    summary: "Context files of a project.",
    group: "Documents",
    params: byId,
    response: z.strictObject({ files: z.array(FileEntry) }),
  },
  writeContext: {
    summary: "Write a file under CONTEXT/.",
    group: "Documents",
    params: byId,
    body: z.strictObject({ path: z.string(), content: fileText(8_000_000) }),
    response: z.strictObject({ ...success, file: FileEntry }),
  },
  readFile: {
    summary: "Text of a file in the project's folder.",
    group: "Documents",
    params: byId,
    query: z.strictObject({ path: z.string() }),
    response: z.strictObject({ file: FileEntry.extend({ content: z.string(), etag: z.string() }) }),
  },
} as const;
