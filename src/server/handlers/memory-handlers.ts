import type { Hall } from "../../workspace/hall/hall.ts";
import type { HandlersOf } from "../handler.ts";

const success = true as const;

export const memoryHandlers = ({
  memory,
}: Hall): HandlersOf<
  | "listMemory"
  | "readMemory"
  | "writeMemory"
  | "removeMemory"
  | "listMainMemory"
  | "readMainMemory"
  | "writeMainMemory"
  | "removeMainMemory"
> => ({
  listMemory: ({ params }) => ({ files: memory.list(params.id) }),
  readMemory: ({ params, query }) => ({ file: memory.read(params.id, query.path) }),
  writeMemory: async ({ params, body, change }) => ({ success, file: await memory.write(params.id, body, change) }),
  removeMemory: async ({ params, query, change }) => ({
    success,
    trash: await memory.remove(params.id, query.path, change),
  }),
  listMainMemory: () => ({ files: memory.list(undefined) }),
  readMainMemory: ({ query }) => ({ file: memory.read(undefined, query.path) }),
  writeMainMemory: async ({ body, change }) => ({ success, file: await memory.write(undefined, body, change) }),
  removeMainMemory: async ({ query, change }) => ({
    success,
    trash: await memory.remove(undefined, query.path, change),
  }),
});
