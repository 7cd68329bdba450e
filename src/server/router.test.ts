import { expect, it } from "vitest";
import { Router } from "./router.ts";

const answer = (name: string) => () => ({ status: 200, headers: {}, body: name });

function found(router: Router, method: string, path: string): [string, object] | undefined {
  const match = router.find(method, path);
  return match && [(match.serve({} as never) as { body: string }).body, match.params];
}

const router = new Router();
router.on("GET", "/", answer("start"));
router.on("GET", "/api/runs", answer("runs"));
router.on("GET", "/api/runs/:id", answer("run"));
router.on("GET", "/api/runs/live", answer("live"));
router.on("POST", "/api/runs/live/stop", answer("stop live"));
router.on("POST", "/api/runs/:id/retry", answer("retry"));
router.on("GET", "/api/:kind/:name/files", answer("files"));
router.on("GET", "/api/runs/:other", answer("too late"));

it.each([
  ["GET", "/", ["start", {}]],
  ["HEAD", "/api/runs", ["runs", {}]],
  ["GET", "/api/runs/a%2Fb%20c", ["run", { id: "a/b c" }]],
  ["GET", "/api/runs/live", ["live", {}]],
  ["POST", "/api/runs/live/stop", ["stop live", {}]],
  ["POST", "/api/runs/live/retry", ["retry", { id: "live" }]],
  ["GET", "/api/runs/live/files", ["files", { kind: "runs", name: "live" }]],
  ["GET", "/api/runs/", undefined],
  ["GET", "/api/runs//files", undefined],
  ["GET", "/api//live/files", undefined],
  ["GET", "/api/runs/a/", undefined],
  ["DELETE", "/api/runs/a", undefined],
  ["GET", "/api/nothing", undefined],
  ["GET", "", undefined],
  ["GET", "/constructor", undefined],
])("%s %s", (method, path, wanted) => {
  expect(found(router, method, path)).toEqual(wanted);
});
