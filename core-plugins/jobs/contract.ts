import type { Knex } from 'knex'
import { defineEvent, defineService, type Said } from '#kernel'

/** Where a job is: to be run now, later, or after the one before it of its key; being run; ended well, given up, or cancelled. */
export type JobState = 'waiting' | 'delayed' | 'held' | 'running' | 'done' | 'dead' | 'cancelled'

/** How a job is queued. */
export interface JobOptions {
  /** Whose work it is, which shares the hosts fairly with that of others; 0, the platform, unless said otherwise. */
  readonly tenant?: number
  /** Jobs of one kind, tenant and key run one after the other, in the order in which they were enqueued. */
  readonly key?: string
  /**
   * While a job of this kind, tenant and name has not begun, another one is not queued: the answer is the id of the one that waits, and
   * the earlier of the two times holds.
   */
  readonly dedupe?: string
  /** What jobs of a kind have in common that `groups` of the kind goes by, such as the plugin that they are of. */
  readonly group?: string
  /** Milliseconds from now. */
  readonly delay?: number
  /** Of a tenant's waiting jobs the highest go first; 0 unless said otherwise. */
  readonly priority?: number
}

/** A job that a host is running. */
export interface RunningJob<P = unknown> {
  readonly id: string
  readonly kind: string
  readonly tenantId: number
  readonly payload: P
  /** 1 the first time. */
  readonly attempt: number
  /** The time of the schedule that it comes from. */
  readonly scheduledAt: Date | undefined
  readonly createdAt: Date
  /** Aborted when the host stops, when somebody cancels the job, and when another host has it. */
  readonly signal: AbortSignal
  /** Shown to administrators and announced; a few times a second at most. Rejects when another host has the job. */
  progress(percent: number, text?: string): Promise<void>
  /**
   * First thing in a transaction: rejects when another host has the job, and no other host takes it until the transaction ends. What
   * is written there is written by the one host that runs the job.
   */
  hold(trx: Knex.Transaction): Promise<void>
}

/** A job that comes to nothing: it was cancelled, or given up after its last attempt. */
export interface LostJob<P = unknown> {
  readonly id: string
  readonly kind: string
  readonly tenantId: number
  readonly payload: P
  readonly state: 'dead' | 'cancelled'
  /** Why it was given up. */
  readonly error: string | undefined
  /** The same, to be kept and told in the language of who reads it. */
  readonly said: Said | undefined
}

/** A job is not over: it comes again, and what it did counts as no attempt. */
export interface Again {
  /** After so many milliseconds, its key waiting behind it; 0 is as soon as it is its turn. */
  readonly againIn: number
}

/** What is done with jobs of one kind. */
export interface JobKind<P = unknown> {
  /** `<plugin>.<what>`, such as `backup.make`. */
  readonly kind: string
  /** Does the work, or a part of it; may be called again for a job whose host died, and after it threw. */
  run(job: RunningJob<P>): void | Again | Promise<void | Again>
  /** Times that a job is begun at most, before it is dead; 5 unless said otherwise. */
  readonly attempts?: number
  /** Milliseconds between a failed attempt, counted from 1, and the next; 1, 5, 25, 125 seconds … up to an hour unless said otherwise. */
  readonly backoff?: (attempt: number, error: unknown) => number
  /** Whether another attempt would be in vain. */
  readonly isFinal?: (error: unknown) => boolean
  /** Writes, in the transaction that ends a job as dead or cancelled, what follows from it; also for one that never began. */
  readonly onLost?: (job: LostJob<P>, trx: Knex.Transaction) => Promise<void>
  /** How many one host runs at once; 8 unless said otherwise. */
  readonly concurrency?: number
  /**
   * How many of each group this host runs at once, asked whenever it takes some. It leaves groups that are not among them to other
   * hosts; jobs of no group it runs all the same.
   */
  readonly groups?: () => ReadonlyMap<string, number>
  /** How long a job that ended well can be looked at; an hour unless said otherwise, 0 for kinds that come by the thousand. */
  readonly keepSeconds?: number
  /** How long one that was given up can be looked at and tried again; 30 days unless said otherwise. */
  readonly keepDeadSeconds?: number
}

/** Times of day and days. */
export interface JobTimes {
  /** Five fields of cron. */
  readonly cron: string
  /** IANA, such as `Asia/Shanghai`. */
  readonly timezone: string
}

/** Work that comes again by the clock. */
export interface JobSchedule extends JobTimes {
  /** One schedule a tenant and name. */
  readonly name: string
  readonly kind: string
  readonly payload?: unknown
  readonly tenant?: number
  /** The key of its jobs. */
  readonly key?: string
  /** Whether a schedule that is new, or has new times, also comes for the latest of them that has passed. */
  readonly makesUp?: boolean
  /** A time that was missed for longer, because no host ran, is left out; of several that were missed the latest comes. A day unless said otherwise. */
  readonly lateSeconds?: number
}

/** How far a job is. */
export interface JobProgress {
  readonly id: string
  readonly state: JobState
  readonly percent: number | null
  readonly text: string | null
  readonly error: string | null
}

/** The one durable queue: what is enqueued is run at least once, on one host at a time. Payloads are JSON; secrets in them are sealed. */
export interface Jobs {
  /** Has jobs of this kind run on this host until disposed, which waits for those that run. */
  register<P>(kind: JobKind<P>): AsyncDisposable
  /** Queues a job with the caller's transaction: both or neither. Answers its id. */
  enqueue(trx: Knex.Transaction, kind: string, payload: unknown, options?: JobOptions): Promise<string>
  /** Queues many of one kind, in this order. */
  enqueueAll(
    trx: Knex.Transaction,
    kind: string,
    jobs: readonly (JobOptions & { readonly payload: unknown })[],
  ): Promise<readonly string[]>
  /** Takes a job back, without a trace, that has a name and no key and has not begun; nothing happens when there is none. */
  withdraw(trx: Knex.Transaction, kind: string, dedupe: string, tenant?: number): Promise<void>
  /** Takes back, without a trace, the jobs of a group that no host runs, and answers their ids; also those to be tried again. */
  withdrawGroup(trx: Knex.Transaction, kind: string, group: string): Promise<readonly string[]>
  /** Lets the jobs of a group begin that wait for their time or for another attempt. */
  hurryGroup(trx: Knex.Transaction, kind: string, group: string): Promise<void>
  /** Waits until no job of a kind waits or runs: each has ended, or waits for its time or for another attempt. At most so many milliseconds. */
  settle(kind: string, milliseconds: number): Promise<void>
  /** Sets when jobs come by the clock; a schedule whose times stay as they are loses none. Throws when cron and time zone never meet. */
  schedule(db: Knex, schedule: JobSchedule): Promise<void>
  /** Whether times ever come: a cron expression and a time zone that make sense. */
  everComes(times: JobTimes): boolean
  /** Ends a schedule; what it has queued already stays. */
  unschedule(db: Knex, name: string, tenant?: number): Promise<void>
  /** How far a job is; undefined once it is forgotten. */
  find(id: string): Promise<JobProgress | undefined>
}

/** The one durable queue: work that outlives a request and the host that took it. */
export const jobs = defineService<Jobs>('jobs.queue')

/** A job told how far it is. */
export const jobsProgressed = defineEvent<{
  readonly id: string
  readonly kind: string
  readonly tenantId: number
  readonly percent: number
  readonly text: string | null
}>('jobs.progressed')

/** A job was given up. */
export const jobsDied = defineEvent<{
  readonly id: string
  readonly kind: string
  readonly tenantId: number
  readonly error: string
}>('jobs.died')
