import type { RateLimiter } from '#kernel'
import { randomUUID } from 'node:crypto'
import type { TestJob } from '../capabilities/jobs.ts'
import type { Json } from '../capabilities/json.ts'
import { pluginHash8 } from '../manifest/names.ts'
import type { PluginManifest } from '../manifest/plugin-manifest.ts'
import { optionalIntegerOf, optionalTextOf, textOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import type { Provider } from './provider.ts'
import { Refusal } from './refusal.ts'

const mostDelayMs = 30 * 24 * 60 * 60 * 1_000
const mostKey = 100

/** Whose job it is; tenant 0 is the platform. */
export interface JobOwner {
  readonly plugin: string
  readonly tenantId: number
}

/** A job that a guest wants done. */
export interface WantedJob {
  readonly name: string
  /** JSON of at most 64 KB. */
  readonly input: unknown
  readonly delay: number
  readonly key: string | undefined
  /** How many events in a row led to it. */
  readonly hop: number
  readonly traceId: string
}

/** What of the platform does the jobs of guests. */
export interface JobsServices {
  readonly jobs: GuestJobs
}

/** Does the jobs of guests. */
export interface GuestJobs {
  /** Resolves with its id when it is safely queued; throws an AppError of the 429 family when too many wait. */
  enqueue(owner: JobOwner, job: WantedJob): Promise<string>
  /** How far it is, in the words of `ctx.jobs`. */
  find(owner: JobOwner, id: string): Promise<object | undefined>
  cancel(owner: JobOwner, id: string): Promise<boolean>
}

/** The plugin's jobs; in a test they wait until the test does them. */
export const jobs: Provider<JobsServices> = {
  create: ({ services: { limiter, jobs }, manifest }) => createJobsCapability(manifest, limiter, jobs),
  fake() {
    const enqueued: TestJob[] = []
    const owned = (owner: JobOwner, id: string): TestJob | undefined =>
      enqueued.find((job) => job.id === id && job.tenantId === owner.tenantId)
    return {
      services: {
        jobs: {
          enqueue({ tenantId }, { name, input, delay, key }) {
            const id = randomUUID()
            enqueued.push({ id, name, input: input as Json, delay, key: key ?? null, tenantId })
            return Promise.resolve(id)
          },
          find(owner, id) {
            const job = owned(owner, id)
            const still = { state: 'waiting', progress: null, text: null, steps: 0, result: null, error: null }
            return Promise.resolve(job && { id, name: job.name, ...still })
          },
          cancel(owner, id) {
            const job = owned(owner, id)
            if (job) enqueued.splice(enqueued.indexOf(job), 1)
            return Promise.resolve(job !== undefined)
          },
        },
      },
      seen: { enqueued },
    }
  },
}

/** Queues what the manifest names; a job of another plugin or tenant is not there. */
function createJobsCapability(
  { name: plugin, jobs: declared = [] }: PluginManifest,
  limiter: RateLimiter,
  service: GuestJobs,
): CapabilityOperations {
  const names = declared.map(({ name }) => name)

  async function enqueue(argument: Argument, call: CallContext): Promise<unknown> {
    const { tenantId, limits, hop, traceId } = call
    const name = textOf(argument, 'name')
    if (!names.includes(name)) {
      const known = names.join(', ')
      throw new Refusal(
        'bad_request',
        'job_unknown',
        `The manifest has no job ${JSON.stringify(name.slice(0, 64))}: it has ${known}`,
      )
    }
    const input = argument['input'] ?? null
    if (Buffer.byteLength(JSON.stringify(input)) > limits.jobBytes) {
      throw new Refusal('invalid', 'job_too_large', `The input of a job has at most ${limits.jobBytes} bytes`)
    }
    const key = optionalTextOf(argument, 'key')
    if (key !== undefined && (key === '' || key.length > mostKey || !key.isWellFormed()))
      throw new Refusal('invalid', 'job_key_invalid', `A key has 1 to ${mostKey} characters`)
    const delay = optionalIntegerOf(argument, 'delay', 0, mostDelayMs) ?? 0
    // A job that enqueues itself goes on for ever; it is held to what it may do in a minute and a day.
    const { allowed } = await limiter.hit(`plg:${pluginHash8(plugin)}:jobs:${tenantId}`, limits.jobsPerMinute, 60)
    if (!allowed) throw new Refusal('rate_limited', 'job_rate', `${limits.jobsPerMinute} jobs a minute can be enqueued`)
    return { id: await service.enqueue({ plugin, tenantId }, { name, input, delay, key, hop, traceId }) }
  }

  return {
    capability: 'jobs',
    operations: {
      'jobs.enqueue': enqueue,
      'jobs.find': async (argument, { tenantId }) =>
        (await service.find({ plugin, tenantId }, textOf(argument, 'id'))) ?? null,
      'jobs.cancel': (argument, { tenantId }) => service.cancel({ plugin, tenantId }, textOf(argument, 'id')),
    },
  }
}
