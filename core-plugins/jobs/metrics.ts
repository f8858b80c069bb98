import type { Knex } from 'knex'
import type { MetricFamily } from '#kernel'
import { everybody } from './queue/everybody.ts'
import type { JobEnd } from './queue/end-job.ts'
import type { JobCounts } from './worker/run-job.ts'

/** Each by the condition of an index that has its rows alone: those that ended well are most of the table. */
const conditions = [
  ...['waiting', 'delayed', 'running', 'dead'].map((state) => `state = '${state}'`),
  `state = 'held' and key is not null`,
]
const counting = conditions
  .map((where) => `select kind, state, count(*)::int as count from jobs where ${where} group by kind, state`)
  .join(' union all ')

interface Gauge {
  readonly kind: string
  readonly state: string
  readonly count: number
}

/** How many jobs there are of each kind, and how those ended that this host ran. */
export class JobMetrics implements JobCounts {
  readonly #db: Knex
  readonly #ended = new Map<string, { readonly kind: string; readonly outcome: string; count: number }>()
  #gauges: readonly Gauge[] = []

  constructor(db: Knex) {
    this.#db = db
  }

  ended(kind: string, outcome: JobEnd['state']): void {
    const name = `${kind} ${outcome}`
    const entry = this.#ended.get(name) ?? { kind, outcome, count: 0 }
    entry.count++
    this.#ended.set(name, entry)
  }

  /** Counts what is in the queue; a scrape does not wait for it. */
  async count(): Promise<void> {
    const { rows } = await this.#db
      .raw<{ rows: readonly Gauge[] }>(`${counting} order by kind, state`)
      .queryContext(everybody)
    this.#gauges = rows
  }

  families(): readonly MetricFamily[] {
    return [
      {
        name: 'stoa_jobs',
        help: 'Jobs in the queue of all hosts, by kind and state, as this host counted them last',
        type: 'gauge',
        samples: this.#gauges.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
      },
      {
        name: 'stoa_job_runs_total',
        help: 'Runs of jobs that ended on this host, by kind and outcome',
        type: 'counter',
        samples: [...this.#ended.values()].map(({ kind, outcome, count }) => ({
          labels: { kind, outcome },
          value: count,
        })),
      },
    ]
  }
}
