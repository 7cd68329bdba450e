export type FilteredArch = "x64" | "arm64";

interface CallNumbers {
  /** How the kernel names the architecture (AUDIT_ARCH). */
  audit: number;
  /** As if the kernel had none of them, so that programs use what came before. */
  missing: readonly number[];
  /** Not permitted. */
  refused: readonly number[];
  sockets: readonly number[];
  clone: number;
  ioctl: number;
  ptrace: number;
  /** process_vm_readv, process_vm_writev. */
  otherMemory: readonly number[];
}

/** Calls that have the same number everywhere. */
const NEW_CALLS = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
};

const OF_X64 = {
  syslog: 103,
  uselib: 134,
  vhangup: 153,
  modify_ldt: 154,
  pivot_root: 155,
  _sysctl: 156,
  chroot: 161,
  acct: 163,
  settimeofday: 164,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  sethostname: 170,
  setdomainname: 171,
  iopl: 172,
  ioperm: 173,
  create_module: 174,
  init_module: 175,
  delete_module: 176,
  get_kernel_syms: 177,
  query_module: 178,
  quotactl: 179,
  nfsservctl: 180,
  lookup_dcookie: 212,
  clock_settime: 227,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  unshare: 272,
  perf_event_open: 298,
  fanotify_init: 300,
  open_by_handle_at: 304,
  setns: 308,
  kcmp: 312,
  finit_module: 313,
  kexec_file_load: 320,
  bpf: 321,
};

const OF_ARM64 = {
  lookup_dcookie: 18,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  nfsservctl: 42,
  chroot: 51,
  vhangup: 58,
  quotactl: 60,
  acct: 89,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  clock_settime: 112,
  syslog: 116,
  reboot: 142,
  sethostname: 161,
  setdomainname: 162,
  settimeofday: 170,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  swapon: 224,
  swapoff: 225,
  perf_event_open: 241,
  fanotify_init: 262,
  open_by_handle_at: 265,
  setns: 268,
  kcmp: 272,
  finit_module: 273,
  bpf: 280,
  kexec_file_load: 294,
};

const { io_uring_setup, io_uring_enter, io_uring_register, clone3, ...newRefused } = NEW_CALLS;
/** What clone3 is asked for is out of a filter's sight; programs use clone where there is none. */
const MISSING = [io_uring_setup, io_uring_enter, io_uring_register, clone3];

export const CALLS: Record<FilteredArch, CallNumbers> = {
  x64: {
    audit: 0xc000003e,
    // userfaultfd
    missing: [323, ...MISSING],
    refused: [...Object.values(OF_X64), ...Object.values(newRefused)],
    sockets: [41, 53],
    clone: 56,
    ioctl: 16,
    ptrace: 101,
    otherMemory: [310, 311],
  },
  arm64: {
    audit: 0xc00000b7,
    missing: [282, ...MISSING],
    refused: [...Object.values(OF_ARM64), ...Object.values(newRefused)],
    sockets: [198, 199],
    clone: 220,
    ioctl: 29,
    ptrace: 117,
    otherMemory: [270, 271],
  },
};
