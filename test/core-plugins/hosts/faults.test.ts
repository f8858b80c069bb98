import assert from 'node:assert/strict'
import { dataOf, refusalOf, startPlatform, createTenant } from '../../support/platform.ts'
import { withSmallFiles } from '../../support/small-files.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { hostSecrets, leaveDatabase, ownHost, packLarge, patience, smallFiles, statusOf } from './world.ts'

const hi = '/admin/plugins/acme.large/api/hi'

describe('a host that cannot unpack a plugin', () => {
  it('tells why, breaks nothing, and runs the plugin soon after the cause has ended', async () => {
    await using first = await startPlatform({ env: hostSecrets })
    await installAndEnable(first.admin, await packLarge('acme.large'))
    await installAndEnable(first.admin, await packSmall('acme.small'))
    const { databaseUrl, namespace } = first.host
    await leaveDatabase(first)
    await using full = new AsyncDisposableStack()
    full.use(await withSmallFiles(smallFiles))
    await using second = await startPlatform({ databaseUrl, env: hostSecrets, namespace })
    const { admin } = second
    await until(async () => (await ownHost(admin)).faults.some(({ tries }) => tries >= 2), patience)
    const { plugins, faults } = await ownHost(admin)
    assert.deepEqual(
      [plugins, faults.map(({ plugin, reason }) => [plugin, reason])],
      [[{ name: 'acme.small', version: '1.0.0' }], [['acme.large', 'A package cannot be unpacked: EFBIG']]],
    )
    for (const { since, next_try_at } of faults) assert.ok(since < next_try_at)
    assert.equal(await statusOf(admin, 'acme.large'), 'enabled')
    const health = dataOf(await admin.get('/admin/health'))
    assert.deepEqual(
      [health['status'], health['details']?.['plugins']?.['status'], health['details']?.['plugins']?.['running']],
      ['degraded', 'degraded', 1],
    )
    assert.equal((await second.host.api.get('/api/public/health')).status, 200)
    await full.disposeAsync()
    await until(async () => (await admin.get(hi)).status === 200, patience)
    await until(async () => (await ownHost(admin)).faults.length === 0)
    assert.equal(dataOf(await admin.get('/admin/health'))['status'], 'healthy')
  })
})

describe('a fresh data folder', () => {
  it('is filled with all of sixteen plugins, again and again', async () => {
    const names = Array.from({ length: 16 }, (_, index) => `acme.many${index}`)
    await using first = await startPlatform({ env: hostSecrets })
    for (const name of names) await installAndEnable(first.admin, await packSmall(name))
    const { databaseUrl, namespace } = first.host
    await leaveDatabase(first)
    for (let round = 0; round < 3; round++) {
      await using host = await startPlatform({ databaseUrl, env: hostSecrets, namespace })
      await until(async () => (await ownHost(host.admin)).plugins.length === names.length, patience)
      const statuses = await Promise.all(names.map((name) => statusOf(host.admin, name)))
      assert.deepEqual(
        [statuses.filter((status) => status !== 'enabled'), (await ownHost(host.admin)).faults],
        [[], []],
      )
    }
  })

  it('brings back what an earlier version called broken for a fault that passed, and nothing else', async () => {
    await using first = await startPlatform({ env: hostSecrets })
    const reasons = {
      'acme.full': 'A package cannot be unpacked: ENOSPC',
      'acme.slow': 'The package is refused: opening it takes more than 15000 ms',
      'acme.swept': 'The files of acme.swept 1.0.0 are not what was installed',
      'acme.lost': 'people are gone. Restore a backup, or uninstall the plugin',
    }
    for (const name of Object.keys(reasons)) await installAndEnable(first.admin, await packSmall(name))
    const { knex } = first.host.kernel.database
    const { databaseUrl, namespace } = first.host
    for (const [name, reason] of Object.entries(reasons)) {
      await knex('plugins').where({ name }).update({ status: 'broken', reason })
    }
    // The state that the version before left behind.
    await knex.schema.alterTable('plugin_hosts', (table) => {
      table.dropColumns('version', 'plugins', 'faults', 'heap_used', 'heap_total', 'rss')
    })
    await knex('schema_migrations').where({ plugin: 'plugins', name: '0010_plugin_hosts.ts' }).delete()
    await leaveDatabase(first)
    await using second = await startPlatform({ databaseUrl, env: hostSecrets, namespace })
    await until(async () => (await ownHost(second.admin)).plugins.length === 3, patience)
    const statuses = await Promise.all(Object.keys(reasons).map((name) => statusOf(second.admin, name)))
    assert.deepEqual(statuses, ['enabled', 'enabled', 'enabled', 'broken'])
  })
})

describe('the list of hosts', () => {
  it('tells how each is, under both of its paths, to who may know', async () => {
    await using platform = await startPlatform()
    const { admin } = platform
    await installAndEnable(admin, await packSmall('acme.small'))
    await until(async () => (await ownHost(admin)).plugins.length === 1)
    const { id, alive, version, generation, uptime_seconds: uptime, memory } = await ownHost(admin)
    assert.deepEqual(
      [id, alive, /^\d+\.\d+\.\d+/.test(version), generation > 0, uptime >= 0, memory.heap_used > 0],
      [platform.host.kernel.hostId, true, true, true, true, true],
    )
    const body = dataOf(await admin.get('/admin/system/hosts?page=1&page_size=1'))
    const kinds = (body['jobs'] as unknown as { kind: string }[]).map(({ kind }) => kind)
    assert.deepEqual(
      [body['total'], body['page_size'], kinds],
      [1, 1, ['plugin_event', 'plugin_job', 'plugin_schedule', 'plugin_operation']],
    )
    const { owner } = await createTenant(admin, 'nosy')
    assert.equal(refusalOf(await owner.get('/admin/hosts')).code, 4033)
    assert.equal(refusalOf(await platform.host.api.get('/admin/hosts')).code, 4010)
    assert.equal(refusalOf(await owner.get('/admin/health')).code, 4033)
  })
})
