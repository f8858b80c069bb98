// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { generateFernetKey } from '#kernel'
import { packFixture } from '../../support/packages.ts'
import { createTenant, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { disableWithUsers } from '../../support/with-users.ts'

const plugin = '/admin/plugins/acme.guestbook'
const mine = '/tenant/plugins/acme.guestbook'
const disabled = { status: 404, code: 4044, reason: 'plugin_is_disabled' }

/** What hosts of one platform have in common. */
const secrets = {
  APP_SECRET: randomBytes(32).toString('base64url'),
  JWT_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
  CONFIG_FERNET_KEYS: generateFernetKey(),
}

describe('a host that starts', () => {
  it('runs what is enabled although its own files are lost or damaged, and a broken plugin breaks alone', async () => {
    const good = await packSmall(
      'acme.good',
      {
        admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }],
      },
      '{ handlers: { hi: () => ({ hi: true }) } }',
    )
    await using first = await startPlatform({ env: secrets })
    await installAndEnable(first.admin, good)
    await installAndEnable(first.admin, await packSmall('acme.bad'))
    const { knex } = first.host.kernel.database
    const { databaseUrl } = first.host
    const bad = knex('plugin_releases').where({ name: 'acme.bad' }).select('id')
    await knex('plugin_release_chunks')
      .whereIn('release_id', bad)
      .update({ bytes: Buffer.from('damaged') })
    // The second host has another data folder: nothing is unpacked there.
    await stopFollowing(first)
    await using second = await startPlatform({ databaseUrl, env: { ...secrets }, namespace: first.host.namespace })
    assert.deepEqual(dataOf(await second.admin.get('/admin/plugins/acme.good/api/hi')), { hi: true })
    await until(async () => (dataOf(await second.admin.get('/plugins/acme.bad'))['status'] as unknown) === 'broken')
    const { reason } = dataOf(await second.admin.get('/plugins/acme.bad')) as unknown as { reason: string }
    assert.ok(reason.length > 0)
  })
})

if (testRedisUrl()) {
  describe('two hosts on one database', () => {
    let one: Platform
    let two: Platform
    let zip: Buffer

    before(async () => {
      one = await startPlatform({ env: secrets })
      two = await startPlatform({ env: secrets, databaseUrl: one.host.databaseUrl, namespace: one.host.namespace })
      zip = await packFixture('guestbook')
    })
    after(async () => {
      await two[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
    })

    it('what is installed on one answers on the other at once, and ends there at once', async () => {
      const tenant = await createTenant(one.admin, 'one')
      const there = tenant.owner.at(two.host.url)
      await installAndEnable(one.admin, zip)
      dataOf(await one.admin.post(`${plugin}/tenants`, { tenant_ids: [tenant.id] }))
      dataOf(await tenant.owner.post(`${mine}/enable`))
      dataOf(await there.post(`${mine}/api/entries`, { author: 'Ben', message: 'From there' }), 201)
      const { items } = dataOf(await tenant.owner.get(`${mine}/api/entries`)) as unknown as { items: object[] }
      assert.equal(items.length, 1)
      await until(async () => Number(dataOf(await there.get(`${mine}/api/count`))['counted']) === 1)
      dataOf(await two.admin.post(`${plugin}/disable`))
      assert.deepEqual(refusalOf(await tenant.owner.get(`${mine}/api/entries`)), disabled)
      dataOf(await two.admin.post(`${plugin}/enable`))
      dataOf(await tenant.owner.get(`${mine}/api/entries`))
    })

    it('what is removed on one leaves no file and no route on the other', async () => {
      dataOf(await one.admin.delete(`${plugin}?purge=true`))
      for (const { host } of [one, two]) {
        const packages = path.join(host.dataDir, 'packages')
        assert.deepEqual(await readdir(packages, { recursive: true }), [])
        assert.equal(
          host.kernel.registered().routes.some((route) => route.includes('guestbook')),
          false,
        )
      }
    })

    it('a lost folder of packages is rebuilt from the database', async () => {
      const route = { admin_routes: [{ method: 'GET', path: '/hi', handler: 'hi' }] }
      await installAndEnable(one.admin, await packSmall('acme.hi', route, '{ handlers: { hi: () => ({ hi: true }) } }'))
      dataOf(await one.admin.post('/plugins/acme.hi/disable'))
      await rm(path.join(two.host.dataDir, 'packages', 'acme.hi'), { recursive: true, force: true })
      dataOf(await one.admin.post('/plugins/acme.hi/enable'))
      assert.deepEqual(dataOf(await two.admin.get('/admin/plugins/acme.hi/api/hi')), { hi: true })
    })
  })
}

/** Ends the first host's part of the database, so that a second one may take it without Redis. */
async function stopFollowing({ host }: Platform): Promise<void> {
  await disableWithUsers(host.kernel, 'plugins', 'system')
}
