import { engineSuite } from "../../../test/suites/engine-suite.ts";
import { EmbeddedEngine } from "./embedded-engine.ts";

engineSuite("the embedded engine", async (options) => new EmbeddedEngine(options));
