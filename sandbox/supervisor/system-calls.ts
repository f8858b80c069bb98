/** What a filter of system calls is made for. */
export interface Machine {
  /** AUDIT_ARCH_*: calls by the numbers of another machine are refused. */
  readonly audit: number
  /** Of prctl, with which the filter is set. */
  readonly prctl: number
  readonly clone: number
  readonly clone3: number
  /** Calls that act on the process whose number comes first. */
  readonly signals: readonly number[]
  /** Opens whose flags are the argument of this number. */
  readonly opens: readonly (readonly [call: number, flags: number])[]
  readonly refused: readonly number[]
}

/** Sockets and all that comes in by them; the sandbox host has the one it was given. */
const x64Network = [41, 42, 43, 49, 50, 53, 288]
const arm64Network = [198, 199, 200, 201, 202, 203, 242]
/** ptrace, process_vm_*, keyctl and its kin, bpf, perf_event_open, userfaultfd, kexec, modules: ways to others and to the kernel. */
const x64Others = [101, 310, 311, 248, 249, 250, 298, 321, 323, 246, 320, 175, 176, 313]
const arm64Others = [117, 270, 271, 217, 218, 219, 241, 280, 282, 104, 294, 105, 106, 273]
/** mount and its kin, chroot, pivot_root, unshare, setns, open_by_handle_at. */
const x64Mounts = [155, 161, 165, 166, 272, 304, 308]
const arm64Mounts = [39, 40, 41, 51, 97, 265, 268]
/** Everything that makes, changes or removes a file by its name. */
const x64Files = [76, 82, 83, 84, 85, 86, 87, 88, 90, 91, 92, 93, 94, 133, 258, 259, 260, 263, 264, 265, 266, 268, 316]
const arm64Files = [33, 34, 35, 36, 37, 38, 45, 52, 53, 54, 55, 276]
/** io_uring, openat2, pidfd_open, pidfd_getfd, the new mount calls: numbered alike everywhere. */
const everywhere = [424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 437, 438, 442]

/** By process.arch; elsewhere there is no filter. */
export const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    prctl: 157,
    clone: 56,
    clone3: 435,
    signals: [62, 200, 234],
    opens: [
      [2, 1],
      [257, 2],
    ],
    // fork and vfork too: a sandbox host starts threads, never a process.
    refused: [57, 58, ...x64Network, ...x64Others, ...x64Mounts, ...x64Files, ...everywhere],
  },
  arm64: {
    audit: 0xc00000b7,
    prctl: 167,
    clone: 220,
    clone3: 435,
    signals: [129, 130, 131],
    opens: [[56, 2]],
    refused: [...arm64Network, ...arm64Others, ...arm64Mounts, ...arm64Files, ...everywhere],
  },
}
