import type { Config } from "../../contract/documents/config.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Keys } from "../../models/providers.ts";
import { CONFIG_FILE } from "../../workspace/config-file.ts";
import { searchKeyName } from "../web-search.ts";

/** What deserves a look in the settings of the web. */
export function webProblems({ web: { search, allow } }: Config, keys: Keys): Problem[] {
  const keyName = search === undefined ? undefined : searchKeyName(search);
  const reasons = [
    ...(keyName !== undefined && (keys[keyName] ?? "") === ""
      ? [
          `web.search needs ${keyName}, which is not set in the environment or in .guildhall/secrets; searches fail until it is set`,
        ]
      : []),
    ...(allow.length > 0 ? [`web.allow lets agents reach ${allow.join(", ")}, even if not public`] : []),
  ];
  return reasons.map((reason) => ({ file: CONFIG_FILE, kind: "config", severity: "warning", reason }));
}
