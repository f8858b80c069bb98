// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Api } from '../../support/api.ts'
import { itOnRedis } from '../../support/it-on-redis.ts'
import { dataOf, refusalOf, startPlatform } from '../../support/platform.ts'
import { withSmallFiles } from '../../support/small-files.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'
import { hostsOf, packLarge, patience, smallFiles, statusOf } from './world.ts'
import { clusterSecrets, startOtherHost } from '../plugins/cluster-world.ts'
import { upgrade } from '../plugins/upgrades-world.ts'

const hi = '/admin/plugins/acme.large/api/hi'

describe('a plugin that one of two hosts cannot unpack', () => {
  itOnRedis('is taken away from no other host', async () => {
    await using one = await startPlatform({ env: clusterSecrets })
    await using other = await startOtherHost(one)
    const there = one.admin.at(other.url)
    await using full = new AsyncDisposableStack()
    full.use(await withSmallFiles(smallFiles, other.pid))
    await installAndEnable(one.admin, await packLarge('acme.large'))
    const faulty = async () => (await hostsOf(one.admin)).filter(({ faults }) => faults.length > 0)
    await until(async () => (await faulty()).length === 1, patience)
    assert.deepEqual(
      (await faulty()).map(({ is_this: isThis, faults }) => [isThis, faults.map(({ plugin }) => plugin)]),
      [[false, ['acme.large']]],
    )
    assert.equal((await one.admin.get(hi)).status, 200)
    assert.equal(await statusOf(one.admin, 'acme.large'), 'enabled')
    await full.disposeAsync()
    await until(async () => (await there.get(hi)).status === 200, patience)
    // It answers first and tells the others then.
    await until(async () => (await faulty()).length === 0, patience)
  })
})

describe('a host that cannot load a release', () => {
  itOnRedis(
    'goes on with the one before while that holds no more rights, and otherwise answers 503 until it can',
    async () => {
      await using one = await startPlatform({ env: clusterSecrets })
      await using other = await startOtherHost(one)
      const there = one.admin.at(other.url)
      const rights = ['users:read_basic', 'ui']
      await installAndEnable(one.admin, await packGuarded('1.0.0', rights))
      const read = (at: Api) => at.post('/admin/plugins/acme.guarded/api/read')
      const faulty = async () => (await hostsOf(one.admin)).filter(({ faults }) => faults.length > 0)
      await until(async () => (await read(there)).status === 200, patience)

      await using full = new AsyncDisposableStack()
      full.use(await withSmallFiles(smallFiles, other.pid))
      dataOf(await upgrade(one.admin, 'acme.guarded', await packGuarded('1.1.0', rights)))
      await until(async () => (await faulty()).length === 1, patience)
      assert.deepEqual([dataOf(await read(one.admin)), dataOf(await read(there))], ['1.1.0', '1.0.0'])

      dataOf(await upgrade(one.admin, 'acme.guarded', await packGuarded('1.2.0', ['ui'])))
      const refused = await read(there)
      assert.deepEqual(refusalOf(refused), { status: 503, code: 5035, reason: 'plugin_not_running' })
      assert.ok(Number(refused.headers['retry-after']) > 0)
      assert.deepEqual(refusalOf(await read(one.admin)), { status: 403, code: 4039, reason: 'capability_missing' })
      assert.deepEqual(
        (await faulty()).map(({ is_this: isThis, plugins, faults }) => [
          isThis,
          plugins,
          faults.map(({ plugin }) => plugin),
        ]),
        [[false, [], ['acme.guarded']]],
      )

      await full.disposeAsync()
      await until(async () => (await read(there)).status === 403, patience)
      // It answers first and tells the others then.
      await until(async () => (await faulty()).length === 0, patience)
    },
  )
})

/** A release that reads users, with a file in it that a full disk does not take from the second one on. */
function packGuarded(version: string, capabilities: readonly string[]): Promise<Buffer> {
  const reasons = Object.fromEntries(capabilities.map((capability) => [capability, 'For the test.']))
  const admin_routes = [{ method: 'POST', path: '/read', handler: 'read' }]
  const slots = [{ slot: 'page', id: 'page', entry: 'ui/page.html', title: { default: 'Page' }, area: 'admin' }]
  const text = randomBytes(version === '1.0.0' ? 1 : smallFiles).toString('hex')
  return packSmall(
    'acme.guarded',
    { version, capabilities, reasons, admin_routes, slots },
    `{ handlers: { async read(request, ctx) { return (await ctx.users.list()) && '${version}' } } }`,
    { 'ui/page.html': '<p>A page</p>', 'ui/large.txt': text },
  )
}
