import { readFileSync } from "node:fs";
import module from "node:module";

// Node strips types everywhere but below node_modules, where a published package lives. Loaded before the program of a
// project's process there.
const sources = new URL("../src/", import.meta.url).href;
module.registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(sources) || !url.endsWith(".ts")) return nextLoad(url, context);
    const source = module.stripTypeScriptTypes(readFileSync(new URL(url), "utf8"));
    return { format: "module", source, shortCircuit: true };
  },
});
