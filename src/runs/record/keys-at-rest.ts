import type { Config } from "../../contract/documents/config.ts";
import type { KeyAnswer, KeyUpdate, ModelsReport, ProviderTest } from "../../contract/routes/model-routes.ts";
import type { Files } from "../../store/files/files.ts";
import { WorkspaceLock } from "../../store/host/workspace-lock.ts";
import { KeyRing } from "../../store/secrets/key-ring.ts";
import { OwnSecrets } from "../../store/secrets/own-secrets.ts";
import { openHall } from "../../workspace/hall/open-hall.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../workspace/layout.ts";
import { openRecord } from "./open-record.ts";

interface Options {
  files: Files;
  config: Config;
  environment: Record<string, string | undefined>;
  clock: () => Date;
  version: string;
}

/** What can be done with keys while no daemon runs. */
export interface KeysAtRest {
  set(name: string, body: KeyUpdate): Promise<Omit<KeyAnswer, "success">>;
  remove(name: string): Promise<{ provider: string; defaultModel: string }>;
  test(name: string, model: string | undefined): Promise<ProviderTest>;
  report(): Promise<ModelsReport>;
}

const CHANGE = { actor: { kind: "person", via: "cli" } } as const;

/** Opens a workspace whose daemon is down, for as long as the work takes. Refused with workspace_busy where one runs. */
export async function withKeysAtRest<Result>(
  { files, config, environment, clock, version }: Options,
  work: (keys: KeysAtRest) => Promise<Result>,
): Promise<Result> {
  const holder = { pid: process.pid, startedAt: clock().toISOString(), version };
  const lock = WorkspaceLock.take(`${files.root}/${STATE_FOLDER}`, holder);
  try {
    const own = new OwnSecrets();
    const ring = new KeyRing({ files, path: SECRETS_FILE, environment, own });
    const open = await openHall({ workspace: files.root, clock, version, secrets: own });
    try {
      const onTrouble = () => undefined;
      const record = await openRecord({ core: open.core, hall: open.hall, config, ring, own, onTrouble });
      const { providers, models, money, reading } = record;
      try {
        return await work({
          set: (name, body) => providers.set(name, body, CHANGE),
          remove: (name) => providers.remove(name, CHANGE),
          test: (name, model) => providers.test(name, model),
          report: () => models.report(),
        });
      } finally {
        await money.close();
        reading.close();
      }
    } finally {
      await open.close();
    }
  } finally {
    lock.release();
  }
}
