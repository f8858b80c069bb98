import assert from 'node:assert/strict'
import { pluginTools } from '../../../core-plugins/plugin-offers/contract.ts'
import type { Body } from '../../support/api.ts'
import type { TestPlatform, TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable } from '../../support/small-plugin.ts'
import { disableWithUsers, enableAgain } from '../../support/with-users.ts'
import { packGiver } from './plugin.ts'
import { startWhole, useIn } from './world.ts'

describe('what plugins offer', () => {
  let platform: TestPlatform
  let one: TestTenant

  before(async () => {
    platform = await startWhole()
    await installAndEnable(platform.admin, await packGiver())
    one = await platform.createTenant('one')
    await useIn(platform, one, 'acme.giver')
  })
  after(() => platform[Symbol.asyncDispose]())

  /** The names of the plugin's storage drivers. */
  async function drivers(): Promise<readonly unknown[]> {
    const { items } = dataOf(await platform.admin.get('/configs/storage/drivers'))
    return (items as unknown as Body[])
      .map(({ name }) => name as unknown)
      .filter((name) => typeof name === 'string' && name.startsWith('plg_'))
  }

  it('goes with the core plugin that offers it, and comes back with it to plugins that run', async () => {
    const { kernel } = platform.test
    const offered = async () => [kernel.services.get(pluginTools).list(one.id).length, (await drivers()).length]
    const before = await offered()
    assert.ok(
      before.every((count) => count > 0),
      JSON.stringify(before),
    )
    const disabled = await disableWithUsers(kernel, 'plugin_offers')
    assert.deepEqual([await drivers(), kernel.registered().plugins.includes('acme.giver')], [[], true])
    await enableAgain(kernel, disabled)
    assert.deepEqual(await offered(), before)
    // What was added late goes with the plugin.
    dataOf(await platform.admin.post('/plugins/acme.giver/disable'))
    assert.deepEqual(await offered(), [0, 0])
    dataOf(await platform.admin.post('/plugins/acme.giver/enable'))
    assert.deepEqual(await offered(), before)
    await disableWithUsers(kernel, 'plugin_offers')
    dataOf(await platform.admin.post('/plugins/acme.giver/disable'))
    await enableAgain(kernel, disabled)
    assert.deepEqual(await offered(), [0, 0])
    dataOf(await platform.admin.post('/plugins/acme.giver/enable'))
    assert.deepEqual(await offered(), before)
  })

  it('goes when the right to it is taken back, and comes back with it', async () => {
    const route = '/admin/plugins/acme.giver/capabilities'
    const { effective } = dataOf(await platform.admin.get(route)) as unknown as { effective: readonly string[] }
    const before = await drivers()
    assert.ok(before.length > 0)
    dataOf(await platform.admin.put(route, { granted: effective.filter((name) => name !== 'storage:driver') }))
    assert.deepEqual(await drivers(), [])
    dataOf(await platform.admin.put(route, { granted: effective }))
    assert.deepEqual(await drivers(), before)
  })
})
