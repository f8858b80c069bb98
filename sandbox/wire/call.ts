import type { Logger, Said } from '#kernel'

/**
 * The code of one release, as a sandbox host loads it. The host reads the listed files, and no others, from `directory`
 * and refuses one whose SHA-256 differs.
 */
export interface Code {
  /** `name@treeHash`. */
  readonly id: string
  readonly plugin: string
  readonly directory: string
  /** The entry module, relative to `directory`. */
  readonly main: string
  /** Path relative to `directory` → SHA-256 in hex. Modules resolve among these only. */
  readonly files: Readonly<Record<string, string>>
  /** Modules of the host that it may import beside its own files, by name. */
  readonly hostModules?: readonly string[]
  readonly memoryMb: number
  /** Official code: runs on the trusted lane, which has the JIT. */
  readonly trusted: boolean
}

/** What one call may spend. */
export interface CallLimits {
  readonly cpuMs: number
  readonly wallMs: number
  readonly hostCalls: number
  readonly hostCallsInFlight: number
  readonly logLines: number
  readonly responseBytes: number
  /** Calls of the plugin that run at once. */
  readonly concurrency: number
  /** Calls of one tenant to the plugin that run at once. */
  readonly tenantConcurrency: number
  /** Calls of one tenant to the plugin that may wait; a plugin's tenants together get `concurrency` times that. */
  readonly queue: number
}

/** Where a call enters the guest's default export. */
export interface CallTarget {
  /** `check` calls nothing: its input is a list of targets, its value names those that do not exist. */
  readonly kind:
    | 'handler'
    | 'hook'
    | 'event'
    | 'schedule'
    | 'job'
    | 'service'
    | 'tool'
    | 'captcha'
    | 'provider'
    | 'guardrail'
    | 'router'
    | 'driver'
    | 'check'
  readonly name: string
}

/** One line a guest logged. */
export interface GuestLogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly data?: unknown
  /** So many lines were not passed on; this one says nothing else. */
  readonly dropped?: number
}

/** The answer to a guest's host call: plain data in both cases; an error rejects in the guest as a PluginError. */
export type HostAnswer =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly details?: unknown }

/** Takes room for so many more bytes of an answer before they are read; rejects when nobody waits for it any more. */
export type Room = (bytes: number) => Promise<void>

/** One entry into the guest. */
export interface Call {
  readonly code: Code
  /** Context key: `'0'` for the platform, else the tenant's id. */
  readonly tenant: string
  readonly target: CallTarget
  /** JSON text of the first argument. */
  readonly input: string
  /** JSON text of the plain-data part of ctx, with `capabilities: string[]` naming the namespaces that exist on it. */
  readonly ctx: string
  readonly limits: CallLimits
  /**
   * Answers the guest's host calls; `argument` is JSON text. The signal aborts when the call ends for any reason. Before anything large
   * is read for an answer, room is taken for it.
   */
  readonly host: (operation: string, argument: string, signal: AbortSignal, room: Room) => Promise<HostAnswer>
  readonly onLog?: (lines: readonly GuestLogLine[]) => void
  /** Whether nobody waits for it any more: one that has not entered its handler by then never does. */
  readonly isForsaken?: () => boolean
}

/** What a guest threw, flattened inside the guest to plain data. */
export interface GuestError {
  readonly name: string
  readonly message: string
  readonly code?: string
  readonly reason?: string
  readonly status?: number
  readonly details?: unknown
  readonly stack?: string
}

/** The bound that a call ran into. */
export type ReachedLimit =
  'cpu' | 'memory' | 'host_calls' | 'message_bytes' | 'response_bytes' | 'concurrency' | 'queue'

/**
 * Whose doing a failure is: the plugin's own, that of the sandbox host and the platform around it, of the database, or of a
 * machine that gave no time.
 */
export type Fault = 'guest' | 'host' | 'database' | 'machine'

/** How a call failed, and whose fault it was where its kind does not say; failure is a value, never an exception. */
export type Failure = { readonly fault?: Fault } & FailureKind

type FailureKind =
  | { readonly ok: false; readonly kind: 'threw'; readonly error: GuestError }
  /** With the guest's frames where it met the limit, if they could be had. */
  | ({ readonly ok: false; readonly kind: 'limit'; readonly limit: ReachedLimit; readonly stack?: string } & Told)
  /**
   * With what it was waiting for all the while, where that is the platform's: what it had sent may be saved, or surely is not; and
   * with all host calls that were open.
   */
  | ({
      readonly ok: false
      readonly kind: 'timeout'
      readonly awaited?: 'saving' | 'other'
      readonly open?: readonly string[]
    } & Told)
  /** The host was restarted under the call, which could not be retried. */
  | { readonly ok: false; readonly kind: 'killed'; readonly cause: string }
  /** The answer is not JSON. */
  | { readonly ok: false; readonly kind: 'invalid'; readonly message: string }
  /** The module does not evaluate, which may have a stack, or has no such handler. */
  | { readonly ok: false; readonly kind: 'load'; readonly message: string; readonly stack?: string }

/** What the author reads of a limit: in which handler it was met, and how much it is. Never for callers. */
interface Told {
  readonly told?: Said
}

/** What a call cost, whatever became of it. */
interface CallCost {
  readonly cpuMs: number
  readonly wallMs: number
  readonly hostCalls: number
}

/** What became of a call; `value` is JSON text. */
export type Outcome = CallCost & ({ readonly ok: true; readonly value: string } | Failure)

/** One sandbox host, as the pool sees it. */
export interface LaneStats {
  readonly name: string
  readonly pid: number
  readonly calls: number
  /** Calls that wait in it for their turn. */
  readonly queued: number
  readonly rssBytes: number
  /** Bytes of answers to its guests that the platform holds. */
  readonly heldBytes: number
  /** The plugins that ran in it, with the bytes of their isolate's heap when last looked at. */
  readonly plugins: ReadonlyMap<string, number | undefined>
}

/** What the pool is doing now, and how often it killed a host, by reason. */
export interface PoolStats {
  readonly lanes: readonly LaneStats[]
  readonly spares: number
  readonly running: number
  readonly queued: number
  readonly kills: Readonly<Record<string, number>>
}

/** Runs guest code in sandbox hosts. Disposal kills every one of them. */
export interface SandboxPool extends AsyncDisposable {
  call(call: Call): Promise<Outcome>
  /** Starts the spare hosts, ahead of the first call; a pool that runs nothing keeps no process. */
  warm(): void
  /** A sandbox host of its own for code that nobody has tried: what happens there counts for nothing. */
  trial(): SandboxTrial
  /** Forgets a release: its contexts and isolates are dropped; calls in flight end, or are killed after `drainMs`. Aborted, it is kept. */
  drop(codeId: string, drainMs: number, signal?: AbortSignal): Promise<void>
  stats(): PoolStats
}

/** One sandbox host apart from all others: disposed, it ends, or forgets what it ran where all of that went well. */
export interface SandboxTrial extends Disposable {
  call(call: Call): Promise<Outcome>
}

/** How the pool is sized; what is left out has the defaults of the limits table. */
export interface SandboxPoolOptions {
  readonly log: Logger
  /** The folder that all releases lie below; sandbox hosts may not read it, they are handed what they need. */
  readonly releases: string
  readonly lanes?: number
  readonly spares?: number
  readonly penaltyLanes?: number
  /** What a host may hold above its own baseline. */
  readonly laneMemoryMb?: number
  /** False leaves the memory to the hosts' own watch, as where the system cannot cap that of a process. */
  readonly capMemory?: boolean
  readonly penaltyMs?: number
  /** Told of every host that a plugin brought down, or may have: what the circuit breaker counts. */
  readonly onKill?: (kill: { readonly plugin: string; readonly reason: string; readonly isCertain: boolean }) => void
}
