import type { Rates } from '../holds/rates.ts'
import type { BucketRow } from './bucket-service.ts'
import type { Quota } from './quota.ts'

/** Buckets of a rate that are looked through at the most. */
const mostBuckets = 10_000

/** The buckets of a rate that are in use, as those of sums are read; one more than wanted. */
export async function readRateBuckets(
  rates: Pick<Rates, 'list' | 'read'>,
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
