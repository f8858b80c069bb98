import { audit } from '../../../core-plugins/access/contract.ts'
import { jobs, type JobKind, type JobOptions, type Jobs } from '../../../core-plugins/jobs/contract.ts'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import { definePlugin, type MetricFamily, type Plugin } from '#kernel'
import type { Knex } from 'knex'
import { runningKernel } from '../../support/auth.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../support/kernel.ts'
import { described } from '../../support/probe.ts'

/** What the queue needs of others, without them. */
const stand: Plugin = definePlugin({
  ...described('stand'),
  provides: [audit],
  setup(scope) {
    scope.provide(audit, {
      record: () => Promise.resolve(),
      deleteBefore: () => Promise.resolve(0),
      nameTargets: () => new DisposableStack(),
    })
  },
})

/** The queue and nothing else. */
export const queuePlugins: readonly Plugin[] = [stand, jobsPlugin]

/** A row of the queue. */
export interface JobRow {
  readonly id: string
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly fence: number
  readonly percent: number | null
  readonly progress: string | null
  readonly error: string | null
  readonly leased_until: Date | null
  readonly scheduled_at: Date | null
}

/** A host with a queue. */
export interface QueueHost extends AsyncDisposable {
  readonly host: TestKernel
  readonly queue: Jobs
  readonly db: Knex
  /** Runs jobs of a kind until the host ends. */
  run<P>(kind: Omit<JobKind<P>, 'kind'> & { readonly kind?: string }): AsyncDisposable
  enqueue(payload: unknown, options?: JobOptions & { readonly kind?: string }): Promise<string>
  rows(): Promise<readonly JobRow[]>
}

/** Starts a host; of several on one database each after the first is given the options of the first. */
export async function startQueueHost(options: Partial<TestKernelOptions> = {}): Promise<QueueHost> {
  const host = await startTestKernel({ plugins: queuePlugins, ...options })
  const queue = host.kernel.services.get(jobs)
  const db = runningKernel({ test: host }).database.knex
  const registered = new AsyncDisposableStack()
  return {
    ...{ host, queue, db },
    run: (kind) => registered.use(queue.register({ kind: 'test.work', backoff: () => 1, ...kind })),
    enqueue: (payload, { kind = 'test.work', ...more } = {}) =>
      db.transaction((trx) => queue.enqueue(trx, kind, payload, more)),
    rows: () => db<JobRow>('jobs').queryContext({ tenant: 'all' }).orderBy('id').select(),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
    },
  }
}

/** What another host of the same platform is started with. */
export function besides({ host }: QueueHost): Partial<TestKernelOptions> {
  return { databaseUrl: host.databaseUrl, namespace: host.namespace }
}

/** One figure with its labels. */
export function sampleOf(
  families: readonly MetricFamily[],
  name: string,
  labels: Readonly<Record<string, string>>,
): number | undefined {
  const family = families.find((each) => each.name === name)
  const wanted = JSON.stringify(Object.entries(labels).sort())
  return family?.samples.find((sample) => JSON.stringify(Object.entries(sample.labels).sort()) === wanted)?.value
}
