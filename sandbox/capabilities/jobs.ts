import type { Json } from './json.ts'
import type { JobName } from './names.ts'
import type { CapabilityRow, CtxMembers } from './row.ts'

/** When and how a job is done. */
interface JobOptions {
  /** Milliseconds from now, 30 days at most; at once unless said otherwise. */
  readonly delay?: number
  /** Jobs of one name and key are done one after the other, in the order in which they were enqueued; at most 100 characters. */
  readonly key?: string
}

/** How far a job is. */
type JobState = {
  readonly id: string
  /** As in the manifest. */
  readonly name: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** Of 100, as the job itself said. */
  readonly progress: number | null
  readonly text: string | null
  /** Steps that were done. */
  readonly steps: number
  /** What it returned at its end. */
  readonly result: Json
  /** Why it was given up. */
  readonly error: string | null
}

/**
 * Work of the plugin's own that outlives a call: done once, also when a host dies, by the function of this name in `jobs`. 100 a minute and
 * 1,000 that wait, in a tenant.
 */
interface Jobs {
  /** Queues a job of the manifest's `jobs`, in the calling tenant; `input` has at most 64 KB. Fails with `rate_limited` beyond the bounds. */
  enqueue(name: JobName, input?: Json, options?: JobOptions): Promise<{ readonly id: string }>
  /** `null` for a job that is not the plugin's in this tenant, or ended more than a week ago. */
  find(id: string): Promise<JobState | null>
  /** Takes a job back; one that is at work ends with the step it is at. `false` when there is nothing to take back. */
  cancel(id: string): Promise<boolean>
}

/** What of `ctx` leads to the plugin's jobs. */
export interface JobsCtx {
  /** Needs the capability `jobs`. */
  readonly jobs: Jobs
}

/** A job that the plugin enqueued in a test. */
export interface TestJob {
  readonly id: string
  readonly name: string
  readonly input: Json
  readonly delay: number
  readonly key: string | null
  /** 0 is the platform. */
  readonly tenantId: number
}

/** What the plugin enqueued in a test. */
export interface JobsSeen {
  /** Oldest first; `runJob` does one. */
  readonly enqueued: readonly TestJob[]
}

/** The member of `ctx` that leads to the plugin's jobs. */
export const jobsCtx: CtxMembers<JobsCtx> = {
  jobs: {
    by: ['jobs'],
    open: (send) => ({
      enqueue: (name, input, options) => send('jobs.enqueue', { ...options, name, input: input ?? null }),
      find: (id) => send('jobs.find', { id }),
      cancel: (id) => send('jobs.cancel', { id }),
    }),
    saving: ['enqueue', 'cancel'],
  },
}

/** Work that outlives a call. */
export const jobs = {
  jobs: {
    section: { field: 'jobs', isPresent: ({ jobs = [] }) => jobs.length > 0, isNeeded: true },
    detail: ({ jobs = [] }) => ({ jobs: jobs.map(({ name, minutes = 60 }) => ({ name, minutes })) }),
    // Some jobs are enqueued by nobody but schedules, by a name of their own.
    called: /\bjobs!?\??\.(?:enqueue|find|cancel)\s*\(/,
  },
} as const satisfies Readonly<Record<string, CapabilityRow>>
