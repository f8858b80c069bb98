import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Claim } from './claims.ts'
import { everybody } from './everybody.ts'
import { limitOf, type SettledBucket } from './hold-store.ts'

/** With less than so many calls a lease is not worth it: these hold for themselves. */
const leastCalls = 8n
/** A lease is for so many, or for a twentieth of what remains. */
const mostCalls = 64n

/** A bucket of a quota. */
type BucketClaim = Pick<Claim, 'quota' | 'bucket' | 'windowStart'>

/** A lease as it stands in the database. */
export interface LeaseStanding {
  /** What none of its calls holds. */
  readonly free: bigint
  /** Of its bucket, leases included. */
  readonly used: bigint
  readonly held: bigint
}

/** Takes, renews and ends leases in the database. */
export class LeaseStore {
  readonly #db: Knex
  readonly #hostId: string

  constructor(db: Knex, hostId: string) {
    this.#db = db
    this.#hostId = hostId
  }

  /** Undefined where too little remains. */
  async take(
    { quota, bucket, windowStart }: BucketClaim,
    typical: bigint,
  ): Promise<({ readonly id: string } & LeaseStanding) | undefined> {
    const id = randomUUID()
    const standing = await this.#ask('ai_lease_take(?, ?, ?, ?, ?, ?, ?, ?)', [
      ...[id, this.#hostId, quota.id, bucket, windowStart.toISOString(), String(limitOf(quota))],
      ...[String(typical * mostCalls), String(typical * leastCalls)],
    ])
    return standing && { id, ...standing }
  }

  /** Counts what was used and fills it up; undefined where somebody ended it. */
  renew(id: string, { quota }: BucketClaim, typical: bigint): Promise<LeaseStanding | undefined> {
    return this.#ask('ai_lease_renew(?, ?, ?)', [id, String(limitOf(quota)), String(typical * mostCalls)])
  }

  /** Ends leases, whoever has them; answers the buckets that changed. */
  async close(ids: readonly string[]): Promise<readonly SettledBucket[]> {
    if (ids.length === 0) return []
    const { rows } = await this.#db
      .raw<{ rows: SettledBucket[] }>('select * from ai_leases_close(?::uuid[])', [[...ids]])
      .queryContext(everybody)
    return rows
  }

  /** Ends the leases that any host has of a bucket. */
  async closeOf({ quota, bucket, windowStart }: BucketClaim): Promise<readonly SettledBucket[]> {
    const ids = await this.#db('ai_quota_leases')
      .queryContext(everybody)
      .where({ quota_id: quota.id, bucket, window_start: windowStart })
      .pluck<string[]>('id')
    return this.close(ids)
  }

  /** Ends the leases of hosts that were not heard of for so long, and those that nobody renewed. */
  async closeLost(seconds: number): Promise<readonly SettledBucket[]> {
    const { rows } = await this.#db
      .raw<{ rows: { id: string }[] }>(
        `select s.id from ai_quota_leases s
           left join ai_hold_hosts l on l.host_id = s.host_id and l.seen_at > now() - ? * interval '1 second'
          where l.host_id is null or s.expires_at < now() order by s.id limit 200`,
        [seconds],
      )
      .queryContext(everybody)
    return this.close(rows.map(({ id }) => id))
  }

  async #ask(call: string, bindings: readonly string[]): Promise<LeaseStanding | undefined> {
    const { rows } = await this.#db
      .raw<{ rows: { free: string; used: string; held: string }[] }>(`select * from ${call}`, bindings)
      .queryContext(everybody)
    const [row] = rows
    return row && { free: BigInt(row.free), used: BigInt(row.used), held: BigInt(row.held) }
  }
}
