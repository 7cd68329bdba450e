import { join } from "node:path";
import { engineSuite } from "../../../test/suites/engine-suite.ts";

engineSuite("the embedded engine", join(import.meta.dirname, "../../../test/suites/embedded-engine-door.ts"));
