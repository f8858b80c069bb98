import assert from 'node:assert/strict'
import type { Tenant, TenantResolver } from '#kernel'
import type { ConfigReader } from '../../../core-plugins/config/contract.ts'
import { createOriginPolicy } from '../../../core-plugins/tenants/origins.ts'

const statuses: Readonly<Record<string, Tenant['status']>> = {
  'acme.stoa.example': 'active',
  'late.stoa.example': 'expired',
  'shut.stoa.example': 'disabled',
}
const tenants = {
  byHost: (host: string) => Promise.resolve(statuses[host] && { status: statuses[host] }),
} as unknown as TenantResolver
const config = {
  get: (key: string) => Promise.resolve(key === 'platform_domains' ? ['stoa.example'] : 'stoa.example'),
} as unknown as ConfigReader

/** Those of some origins whose pages may read answers. */
async function allowedOf(publicUrl: string, origins: readonly string[]): Promise<readonly string[]> {
  const policy = createOriginPolicy(tenants, config, publicUrl)
  const allowed: string[] = []
  for (const origin of origins) if (await policy.allowed(origin)) allowed.push(origin)
  return allowed
}

describe('pages that read answers', () => {
  const hosts = ['stoa.example', ...Object.keys(statuses), 'else.example']

  it('are those of the platform and of its active tenants, without encryption only where the platform has none', async () => {
    const origins = ['https', 'http', 'ftp'].flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`))
    const secure = ['https://stoa.example', 'https://acme.stoa.example']
    assert.deepEqual(
      [
        await allowedOf('https://stoa.example', [...origins, 'null', '']),
        await allowedOf('http://localhost:3000', origins),
      ],
      [secure, [...secure, 'http://stoa.example', 'http://acme.stoa.example']],
    )
  })
})
