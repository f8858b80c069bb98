import type { Share } from './quota.ts'

/** What tells a bucket from the others of its quota, as the wire has it. */
export interface BucketKey {
  readonly tenant_id?: number
  readonly user_id?: number
  readonly key_id?: string
  readonly agent_id?: string
  readonly model_id?: string
  readonly provider_id?: string
}

/** The parts of a bucket's name: `user:77` is user 77, `user:12.77` of the platform's quotas is user 77 of tenant 12. */
export function keyOfBucket(bucket: string): BucketKey {
  const parts = bucket.split(',').filter((part) => part !== '')
  return Object.assign({}, ...parts.map(partOf)) as BucketKey
}

/** The name of a bucket; undefined where something is missing that its quota has buckets for. */
export function bucketOfKey(per: readonly Share[], isAllTenants: boolean, key: BucketKey): string | undefined {
  const values: Readonly<Record<Share, string | number | undefined>> = {
    tenant: key.tenant_id,
    user: isAllTenants && key.user_id !== undefined ? withTenant(key) : key.user_id,
    ...{ key: key.key_id, agent: key.agent_id, model: key.model_id, provider: key.provider_id },
  }
  if (per.some((share) => values[share] === undefined)) return undefined
  return per.map((share) => `${share}:${values[share]}`).join(',')
}

function withTenant({ tenant_id: tenant, user_id: user }: BucketKey): string | undefined {
  return tenant === undefined ? undefined : `${tenant}.${user}`
}

function partOf(part: string): BucketKey {
  const [share = '', value = ''] = [part.slice(0, part.indexOf(':')), part.slice(part.indexOf(':') + 1)]
  if (value === '-') return {}
  const [tenant, user] = value.split('.')
  if (share === 'user') {
    return user === undefined ? { user_id: Number(value) } : { tenant_id: Number(tenant), user_id: Number(user) }
  }
  return { [`${share}_id`]: share === 'tenant' ? Number(value) : value }
}
