import assert from 'node:assert/strict'
import pg from 'pg'
import { createPluginHealth } from '../../../core-plugins/plugins/hosts/plugin-health.ts'
import type { Answer } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { hostSecrets, leaveDatabase, patience } from './world.ts'

const health = '/api/public/health'
const hi = '/admin/plugins/acme.small/api/hi'

describe('a host that has not loaded its plugins yet', () => {
  it('is starting for whoever asks for its health, until each of them runs or has failed', async () => {
    await using first = await startPlatform({ env: hostSecrets })
    const manifest = { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
    await installAndEnable(
      first.admin,
      await packSmall('acme.small', manifest, '{ handlers: { hi: () => ({ hi: true }) } }'),
    )
    assert.equal((await first.host.api.get(health)).status, 200)
    const { databaseUrl, namespace } = first.host
    await leaveDatabase(first)
    await using grants = await holdGrants(databaseUrl)
    await using second = await startPlatform({ databaseUrl, env: hostSecrets, namespace })
    const { api } = second.host
    const answer = await api.get(health, { headers: { 'accept-language': 'zh' } })
    assert.deepEqual(
      [refusalOf(answer), answer.body['message'], answer.headers['retry-after'], answer.headers['cache-control']],
      [{ status: 503, code: 5032, reason: 'host_starting' }, '此主机仍在启动', '1', 'no-store'],
    )
    assert.deepEqual(
      [answer.body['status'], partsOf(answer), refusalOf(await second.admin.get(hi)).code],
      ['starting', ['healthy', 'healthy'], 5035],
    )
    assert.equal(dataOf(await second.admin.get('/admin/health'))['status'], 'starting')
    await grants[Symbol.asyncDispose]()
    await until(async () => (await api.get(health)).status === 200, patience)
    assert.equal((await second.admin.get(hi)).status, 200)
    assert.equal(dataOf(await second.admin.get('/admin/health'))['status'], 'healthy')
  })

  it('takes callers after half a minute all the same, and never starts a second time', () => {
    const converger = { hasFollowed: false, faults: [], count: 0 }
    let now = 0
    const late = createPluginHealth(converger, () => now)
    const prompt = createPluginHealth(converger, () => now)
    const seen = [late().status, prompt().status]
    converger.hasFollowed = true
    seen.push(prompt().status)
    converger.hasFollowed = false
    now = 30_000
    seen.push(prompt().status, late().status)
    now = 30_001
    seen.push(late().status)
    assert.deepEqual(seen, ['starting', 'starting', 'healthy', 'healthy', 'starting', 'healthy'])
  })
})

/** Keeps every host from reading what plugins were granted, until it is disposed. */
async function holdGrants(databaseUrl: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('lock table plugin_grants in access exclusive mode')
  let isHeld = true
  return {
    async [Symbol.asyncDispose]() {
      if (isHeld) await client.end()
      isHeld = false
    },
  }
}

function partsOf({ body }: Answer): readonly unknown[] {
  return Object.values(body['checks'] as unknown as Record<string, { status: string }>).map(({ status }) => status)
}
