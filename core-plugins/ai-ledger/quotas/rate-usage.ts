import type { Quota } from './quota.ts'

/** A bucket in a window, as it is kept. */
export interface BucketRow {
  readonly bucket: string
  readonly window_start: Date
  /** Bigints, which PostgreSQL hands over as text. */
  readonly used: string
  readonly held: string
  readonly denied: string
}

/** A bucket of a rate. */
interface RateBucket {
  readonly quota: Quota
  readonly bucket: string
}

/** What is used of rates, which no table has. */
export interface RateCounts {
  /** The buckets of a quota of which something is used, by name, at most so many. */
  list(quota: Quota, limit: number): Promise<readonly string[]>
  read(bucket: RateBucket): Promise<{ readonly used: number; readonly denied: number }>
  /** Sets what is used; answers what was. */
  reset(bucket: RateBucket, to: bigint): Promise<bigint>
}

/** Buckets of a rate that are looked through at the most. */
const mostBuckets = 10_000

/** The buckets of a rate that are in use, as those of sums are read; one more than wanted. */
export async function readRateBuckets(
  rates: Pick<RateCounts, 'list' | 'read'>,
  quota: Quota,
  {
    bucket,
    cursor,
    limit,
  }: { readonly bucket: string | undefined; readonly cursor: string | undefined; readonly limit: number },
): Promise<readonly BucketRow[]> {
  const one = bucket ?? (quota.per.length === 0 ? '' : undefined)
  const names = one === undefined ? await rates.list(quota, mostBuckets) : [one]
  const wanted = names.filter((name) => cursor === undefined || name > cursor).slice(0, limit + 1)
  return Promise.all(
    wanted.map(async (name) => {
      const { used, denied } = await rates.read({ quota, bucket: name })
      return { bucket: name, window_start: new Date(), used: String(used), held: '0', denied: String(denied) }
    }),
  )
}
