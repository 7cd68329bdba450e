import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchOver } from "./command-watch.ts";

describe("the watch over a command", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("says nothing of a command that has ended while somebody else fills the disk", async () => {
    const ended = spawn("true");
    await once(ended, "exit");
    const onOveruse = vi.fn();
    const roomAt = vi.fn().mockReturnValueOnce({ free: 4e9, size: 8e9 }).mockReturnValue({ free: 1e6, size: 8e9 });
    const end = watchOver({ pid: ended.pid ?? 0, memoryMb: 64, processes: 8, places: ["/"], onOveruse }, roomAt);
    vi.advanceTimersToNextTimer();
    end();
    expect(roomAt).toHaveBeenCalledTimes(2);
    expect(onOveruse).not.toHaveBeenCalled();
  });
});
