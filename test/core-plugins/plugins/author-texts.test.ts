import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { packSmall, upload } from '../../support/small-plugin.ts'
import { createAdministrator } from '../attack/lifecycle-world.ts'

/** What an author's code throws is one line of bounded length, and for who may see the plugin: it may hold rows of a tenant. */
describe('the words of a plugin’s author', () => {
  let platform: Platform
  let admin: Api

  beforeEach(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  afterEach(() => platform[Symbol.asyncDispose]())

  it('are cut and cleaned where a hook failed: in the answer and in the operation', async () => {
    const hooks = { enable: 'onEnable' }
    const thrown = `new Error("row 1\\n\\u001b[31mrow\\u202e 2\\u0000" + "x".repeat(5000))`
    const definition = `{ handlers: {}, hooks: { onEnable() { throw ${thrown} } } }`
    dataOf(await upload(admin, await packSmall('acme.hooked', { hooks }, definition)), 201)
    const refused = await admin.post('/plugins/acme.hooked/enable')
    assert.deepEqual(refusalOf(refused), { status: 500, code: 5008, reason: 'plugin_broken' })
    const [last] = dataOf(await admin.get('/plugins/acme.hooked/operations'))['items'] as unknown as Body[]
    for (const text of [refused.body['message'], JSON.stringify(last)].map(String)) {
      const [said = ''] = /row 1 .*?x…/.exec(text) ?? []
      assert.ok(said.startsWith('row 1 [31mrow  2 xxx'), text)
      assert.equal(said.length, 300)
      assert.doesNotMatch(text, /x{301}|\\u00/)
    }
  })

  it('are not in the list of plugins for who may not see the plugins themselves', async () => {
    dataOf(await upload(admin, await packSmall('acme.paused')), 201)
    const { knex } = platform.host.kernel.database
    await knex('plugins').where({ name: 'acme.paused' }).update({ status: 'broken', reason: 'row 1' })
    const reasonFor = async (api: Api) => {
      const { items } = dataOf(await api.get('/admin/plugins')) as unknown as { items: Body[] }
      return items.map(({ reason }) => reason)
    }
    assert.deepEqual(await reasonFor(admin), ['row 1'])
    const clerk = await createAdministrator(admin, 'clerk', ['platform_plugin:list'])
    assert.deepEqual(await reasonFor(clerk), [null])
    const reader = await createAdministrator(admin, 'reader', ['platform_plugin:list', 'platform_plugin:detail'])
    assert.deepEqual(await reasonFor(reader), ['row 1'])
  })
})
