import type { WindowCounter } from '#kernel'
import type { Quota } from '../quotas/quota.ts'
import { isRate, partsOf, secondsOf } from '../windows/span.ts'
import type { Claim } from './claims.ts'
import type { TriedClaim } from './refusal.ts'

/** A claim of a rate, and where it was counted. */
export interface TakenRate extends Claim {
  readonly part: number
  readonly remaining: bigint
}

const everyPrefix = 'ai_rate:'
/** Buckets that are looked at to say how full rates are. */
const mostShown = 1_000
const readAtOnce = 100
/** Of a window that is only looked at. */
const nothing = { amount: 0, limit: Number.MAX_SAFE_INTEGER } as const

/** A bucket of a rate. */
type RateBucket = Pick<Claim, 'quota' | 'bucket'>

/** Rates, which are counted in the store that hosts share and that may be lost: they are over within the hour. */
export class Rates {
  readonly #windows: WindowCounter

  constructor(windows: WindowCounter) {
    this.#windows = windows
  }

  /** Takes all or none; answers those that are too full. */
  async take(
    claims: readonly Claim[],
  ): Promise<{ readonly taken: readonly TakenRate[] } | { readonly full: readonly TriedClaim[] }> {
    if (claims.length === 0) return { taken: [] }
    const { isTaken, windows } = await this.#windows.take(
      claims.map((claim) => ({
        ...windowOf(claim),
        amount: Number(claim.amount),
        limit: claim.quota.mode === 'soft' ? Number.MAX_SAFE_INTEGER : Number(claim.quota.limit),
      })),
    )
    const tried = claims.map((claim, at) => {
      const { used, part, waitMs } = windows[at] ?? { used: 0, part: 0, waitMs: 0 }
      const left = claim.quota.limit - BigInt(used)
      return { claim, part, waitMs, remaining: left < 0n ? 0n : left }
    })
    if (isTaken) return { taken: tried.map(({ claim, part, remaining }) => ({ ...claim, part, remaining })) }
    const full = tried.filter(({ waitMs }) => waitMs > 0)
    return {
      full: full.map(({ claim, remaining, waitMs }) => ({
        claim: { ...claim, resetsAt: new Date(Date.now() + waitMs) },
        remaining,
      })),
    }
  }

  /** Gives back what was not used of what was taken. */
  async settle(taken: readonly TakenRate[], used: (claim: Claim) => bigint): Promise<void> {
    const back = taken.flatMap((claim) => {
      const amount = Number(claim.amount - used(claim))
      return amount === 0 ? [] : [{ key: windowOf(claim).key, part: claim.part, amount }]
    })
    if (back.length > 0) await this.#windows.give(back)
  }

  /** Calls that were refused, for whoever looks at a bucket. */
  async denied(claims: readonly RateBucket[]): Promise<void> {
    await this.#windows.take(claims.map((claim) => ({ ...deniedOf(claim), amount: 1, limit: Number.MAX_SAFE_INTEGER })))
  }

  /** What is used of a bucket, and how many calls were refused in its window. */
  async read(bucket: RateBucket): Promise<{ readonly used: number; readonly denied: number }> {
    const { windows } = await this.#windows.take(
      [windowOf(bucket), deniedOf(bucket)].map((window) => ({ ...window, ...nothing })),
    )
    return { used: windows[0]?.used ?? 0, denied: windows[1]?.used ?? 0 }
  }

  /** Sets what is used; answers what was. */
  async reset(bucket: RateBucket, to: bigint): Promise<bigint> {
    const { used } = await this.read(bucket)
    const window = windowOf(bucket)
    await this.#windows.clear(window.key)
    await this.#windows.take([{ ...window, amount: Number(to), limit: Number.MAX_SAFE_INTEGER }])
    return BigInt(used)
  }

  /** What is used of the fullest bucket of each of these, as far as they are among the first thousand that are in use. */
  async fullest(quotas: readonly Quota[]): Promise<ReadonlyMap<string, number>> {
    const most = new Map<string, number>()
    if (quotas.length === 0) return most
    const byId = new Map(quotas.map((quota) => [quota.id, quota]))
    const buckets = (await this.#windows.keys(everyPrefix, mostShown)).flatMap((key): readonly RateBucket[] => {
      const [id = '', ...bucket] = key.slice(everyPrefix.length).split(':')
      const quota = byId.get(id)
      return quota ? [{ quota, bucket: bucket.join(':') }] : []
    })
    for (let at = 0; at < buckets.length; at += readAtOnce) {
      const some = buckets.slice(at, at + readAtOnce)
      const { windows } = await this.#windows.take(some.map((bucket) => ({ ...windowOf(bucket), ...nothing })))
      for (const [place, { quota }] of some.entries()) {
        most.set(quota.id, Math.max(most.get(quota.id) ?? 0, windows[place]?.used ?? 0))
      }
    }
    return most
  }

  /** The buckets of a quota of which something is used, by name, at most so many. */
  async list({ id }: Pick<Quota, 'id'>, limit: number): Promise<readonly string[]> {
    const keys = await this.#windows.keys(prefixOf(id), limit)
    return keys.map((key) => key.slice(prefixOf(id).length)).sort()
  }
}

function prefixOf(quotaId: string): string {
  return `${everyPrefix}${quotaId}:`
}

function windowOf({ quota: { id, span }, bucket }: RateBucket) {
  return { key: `${prefixOf(id)}${bucket}`, milliseconds: secondsOf(span) * 1000, parts: partsOf(span) }
}

function deniedOf(bucket: RateBucket) {
  const { key, ...window } = windowOf(bucket)
  return { ...window, key: key.replace('ai_rate:', 'ai_rate_denied:') }
}

/** Claims of rates, and those of sums, which the database keeps. */
export function partClaims(claims: readonly Claim[]): {
  readonly rates: readonly Claim[]
  readonly sums: readonly Claim[]
} {
  const { rates = [], sums = [] } = Object.groupBy(claims, ({ quota }) =>
    isRate(quota.metric, quota.span) ? 'rates' : 'sums',
  )
  return { rates, sums }
}
