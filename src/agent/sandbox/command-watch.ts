import { type DiskRoom, diskRoom } from "../../store/host/disk-room.ts";
import {
  hasEnded,
  ownBytes,
  parentsOfAll,
  processTree,
  residentBytes,
  writtenBytes,
} from "../../store/host/process-tree.ts";

const MB = 1024 * 1024;
const LOOK_EVERY_MS = 200;
/** When half of the memory is used, the rest may be gone soon. */
const LOOK_SOONER_MS = 50;
/** Looking must not take more than this part of the time, unless nobody looked for a second. */
const MOST_EFFORT = 0.05;
const LOOK_AT_LATEST_MS = 1_000;
/** So much of a disk is left to others, if there was as much. */
const ROOM_LEFT = { bytes: 1024 * MB, part: 0.05 };
/** Those of the sandbox itself. */
const OWN_PROCESSES = 8;
/** Whoever wrote less is not the one who fills the disk. */
const FILLING = 64 * MB;

/** What a command took too much of. */
export interface Overuse {
  of: "memory" | "processes" | "disk";
  /** Completes: "it was ended because …". */
  reason: string;
}

export interface Watched {
  /** The process everything the command starts descends from. */
  pid: number;
  /** All its processes together. */
  memoryMb: number;
  processes: number;
  /** Where it can write. */
  places: readonly string[];
  onOveruse: (overuse: Overuse) => void;
}

/**
 * Looks at what all processes of a command use together, which no limit of the kernel bounds without rights over control
 * groups. Says so once. A short command is over before the first look. Returns how to end the watch.
 */
export function watchOver(watched: Watched, roomAt: (path: string) => DiskRoom | undefined = diskRoom): () => void {
  const floors = new Map(watched.places.map((path) => [path, floorOf(roomAt(path))]));
  let timer: NodeJS.Timeout | undefined;
  const lookAfter = (ms: number) => {
    timer = setTimeout(look, ms);
  };
  const look = () => {
    const begun = performance.now();
    const tree = processTree(watched.pid, parentsOfAll());
    // Not all kernels bound them for root, and a look at all of very many would take long.
    if (tree.length > watched.processes + OWN_PROCESSES) return watched.onOveruse(tooManyProcesses(watched));
    const memory = memoryOf(tree, watched.memoryMb * MB);
    const overuse = tooMuchMemory(memory, watched) ?? tooLittleRoom(tree, floors, roomAt);
    if (overuse !== undefined) return watched.onOveruse(overuse);
    const pace = memory * 2 > watched.memoryMb * MB ? LOOK_SOONER_MS : LOOK_EVERY_MS;
    lookAfter(Math.max(pace, Math.min(LOOK_AT_LATEST_MS, (performance.now() - begun) / MOST_EFFORT)));
  };
  lookAfter(LOOK_EVERY_MS);
  return () => clearTimeout(timer);
}

/** Exact only where it matters: what is shared is told apart when it would be too much otherwise. */
function memoryOf(tree: readonly number[], most: number): number {
  const sum = (bytesOf: (pid: number) => number) => tree.reduce((bytes, pid) => bytes + bytesOf(pid), 0);
  const atMost = sum(residentBytes);
  return atMost > most ? sum(ownBytes) : atMost;
}

function tooMuchMemory(bytes: number, { memoryMb }: Watched): Overuse | undefined {
  if (bytes <= memoryMb * MB) return undefined;
  return { of: "memory", reason: `its processes used more than the ${memoryMb} MB of memory allowed` };
}

function tooManyProcesses({ processes }: Watched): Overuse {
  return { of: "processes", reason: `it started more than the ${processes} processes allowed` };
}

function floorOf(room: DiskRoom | undefined): number {
  if (room === undefined) return 0;
  return Math.min(ROOM_LEFT.bytes, room.size * ROOM_LEFT.part, room.free / 2);
}

function tooLittleRoom(
  tree: readonly number[],
  floors: ReadonlyMap<string, number>,
  roomAt: (path: string) => DiskRoom | undefined,
): Overuse | undefined {
  const full = [...floors].find(([path, floor]) => (roomAt(path)?.free ?? Number.POSITIVE_INFINITY) < floor);
  if (full === undefined) return undefined;
  // A command that ends during the look has written nothing more.
  const living = tree.filter((pid) => !hasEnded(pid));
  const written = living.map(writtenBytes);
  const isTold = living.length === 0 || written.some((bytes) => bytes !== undefined);
  const bytes = written.reduce((sum: number, one = 0) => sum + one, 0);
  if (isTold && bytes < FILLING) return undefined;
  const left = `less than ${Math.round(full[1] / MB)} MB are free`;
  return { of: "disk", reason: `the disk is almost full (${left}); its output was kept` };
}
