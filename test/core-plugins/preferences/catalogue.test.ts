import assert from 'node:assert/strict'
import * as errors from '../../../core-plugins/preferences/errors.ts'
import {
  preferenceCatalogue,
  preferences,
  type PreferenceCatalogue,
  type PreferenceDeclaration,
} from '../../../core-plugins/preferences/contract.ts'
import { errors as chineseErrors } from '../../../core-plugins/preferences/texts/zh-CN.ts'
import type { Api, Body } from '../../support/api.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { refused, valueTable } from './values.ts'

const layout: PreferenceDeclaration = {
  key: 'plugin.acme.board.layout',
  name: { default: 'Layout', 'zh-CN': '布局' },
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['columns'],
    properties: { columns: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
  },
  default: { columns: 3 },
}

describe('the catalogue of preferences', () => {
  let platform: TestPlatform
  let acme: TestTenant
  let catalogue: PreferenceCatalogue
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    catalogue = platform.test.kernel.services.get(preferenceCatalogue)
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const [key, values] of Object.entries(valueTable)) {
    it(`keeps the rules of ${key}`, async () => {
      const kept: unknown[] = []
      for (const [given] of values) {
        const answer = await acme.owner.patch('/preferences', { [key]: given })
        kept.push([
          given,
          answer.status === 200 ? await valueOf(acme.owner, key) : [answer.status, answer.body['code']],
        ])
      }
      const wanted = values.map(([given, becomes]) => [given, becomes === refused ? [422, 4222] : becomes])
      assert.deepEqual(kept, wanted)
    })
  }

  it('takes preferences of plugins for as long as they are enabled, and keeps what was set', async () => {
    const { owner } = acme
    const before = await owner.get('/preferences')
    {
      using registered = catalogue.register([layout])
      assert.ok(registered)
      assert.deepEqual(await valueOf(owner, layout.key), { columns: 3 })
      assert.notEqual((await owner.get('/preferences')).headers['etag'], before.headers['etag'])
      dataOf(await owner.patch('/preferences', { [layout.key]: { note: '"5"', columns: 4 } }))
      // The same value with its members in another order is no change.
      const again = dataOf(await owner.patch('/preferences', { [layout.key]: { columns: 4, note: '"5"' } }))
      assert.deepEqual(again['updated'], [])
      const bad = await owner.patch('/preferences', { [layout.key]: { columns: 0, rows: 1 } })
      const faults = bad.body['errors'] as unknown as readonly Body[]
      assert.deepEqual(faults.map(({ field, rule }) => [field, rule]).sort(), [
        [`${layout.key}.columns`, 'min_value'],
        [`${layout.key}.rows`, 'unknown_field'],
      ])
    }
    assert.deepEqual((await owner.get('/preferences')).headers['etag'], before.headers['etag'])
    assert.equal((await owner.delete(`/preferences/${layout.key}`)).status, 404)
    using again = catalogue.register([layout])
    assert.ok(again)
    assert.deepEqual(await valueOf(owner, layout.key), { columns: 4, note: '"5"' })
    assert.deepEqual(dataOf(await owner.delete(`/preferences/${layout.key}`))['reset'], [layout.key])
  })

  it('forgets a plugin that is removed, and none whose name only begins alike', async () => {
    const { owner } = acme
    const other = { ...layout, key: 'plugin.acme.boards.layout' }
    using registered = catalogue.register([layout, other])
    assert.ok(registered)
    dataOf(await owner.patch('/preferences', { [layout.key]: { columns: 4 }, [other.key]: { columns: 5 } }))
    const { knex } = platform.test.kernel.database
    const deleted = await knex.transaction((trx) => catalogue.removePlugin('acme.board', trx))
    const left = [await valueOf(owner, layout.key), await valueOf(owner, other.key)]
    assert.deepEqual([deleted, left], [1, [{ columns: 3 }, { columns: 5 }]])
    dataOf(await owner.delete(`/preferences/${other.key}`))
  })

  it('falls back to the level below where a stored value is no longer allowed', async () => {
    const { owner } = acme
    const key = 'plugin.acme.board.size'
    const size = { key, name: { default: 'Size' } }
    {
      using wide = catalogue.register([{ ...size, schema: { type: 'integer' }, default: 1 }])
      assert.ok(wide)
      dataOf(await owner.put('/tenant/preferences/global', { [key]: 5 }))
      dataOf(await owner.patch('/preferences', { [key]: 500 }))
    }
    using narrow = catalogue.register([{ ...size, schema: { type: 'integer', maximum: 10 }, default: 1 }])
    assert.ok(narrow)
    assert.equal(await valueOf(owner, key), 5)
  })

  it('falls back where an agent was stored as a number, as it was before agents had ids of their own', async () => {
    const key = 'default_agent_id'
    const [own, usual] = ['agt_01K2Z3V4X5Y6Z7A8B9C0D1E2F3', 'agt_01K2Z3V4X5Y6Z7A8B9C0D1E2F4']
    dataOf(await acme.owner.put('/tenant/preferences/global', { [key]: usual }))
    dataOf(await acme.owner.patch('/preferences', { [key]: own }))
    assert.equal(await valueOf(acme.owner, key), own)
    const stored = () =>
      platform.test.kernel.database.knex('preferences').queryContext({ tenant: 'all' }).where({ key })
    assert.equal(await stored().whereNot({ user_id: 0 }).update({ value: '7' }), 1)
    assert.equal(await valueOf(acme.owner, key), usual)
    assert.equal(await stored().where({ user_id: 0 }).update({ value: '7' }), 1)
    assert.equal(await valueOf(acme.owner, key), null)
    dataOf(await acme.owner.patch('/preferences', { [key]: own }))
    assert.equal(await valueOf(acme.owner, key), own)
  })

  it('takes a value as text even where it looks like JSON, and none that is too long', async () => {
    const key = 'plugin.acme.board.title'
    using registered = catalogue.register([
      { key, name: { default: 'Title' }, schema: { type: 'string' }, default: '' },
    ])
    assert.ok(registered)
    for (const text of ['5', 'null', '{"a":1}', '"x"', '\\u0000', '标题']) {
      dataOf(await acme.owner.patch('/preferences', { [key]: text }))
      assert.equal(await valueOf(acme.owner, key), text)
    }
    const long = await acme.owner.patch('/preferences', { [key]: 'x'.repeat(5000) })
    assert.deepEqual(long.body['errors'], [
      {
        ...{ field: key, rule: 'too_large', message: 'Must not be longer than 4096 bytes of JSON' },
        params: { max: 4096 },
      },
    ])
  })

  it('takes values as long as the declaration lets them be', async () => {
    const key = 'plugin.acme.board.notes'
    using registered = catalogue.register([
      { key, name: { default: 'Notes' }, schema: { type: 'string' }, default: '', mostBytes: 6000 },
    ])
    assert.ok(registered)
    dataOf(await acme.owner.patch('/preferences', { [key]: 'x'.repeat(5000) }))
    assert.equal(await valueOf(acme.owner, key), 'x'.repeat(5000))
    const long = await acme.owner.patch('/preferences', { [key]: 'x'.repeat(6000) })
    const [fault] = long.body['errors'] as unknown as readonly { readonly rule: string }[]
    assert.deepEqual([long.status, fault?.rule], [422, 'too_large'])
  })

  it('refuses declarations that are wrong, and takes none of their neighbours', async () => {
    const text = { name: { default: 'Text' }, default: '' }
    const wrong: readonly (readonly [string, readonly PreferenceDeclaration[]])[] = [
      ['taken', [layout, { ...layout, key: 'theme' }]],
      ['twice', [layout, layout]],
      ['no key', [layout, { ...layout, key: 'Acme Layout' }]],
      ['a default that is not allowed', [layout, { ...layout, key: 'board', default: { columns: 0 } }]],
      ['no schema', [layout, { ...text, key: 'board', schema: { type: 'nothing' } as never }]],
      ['a pattern of a third party', [{ ...text, key: 'plugin.a.b', schema: { type: 'string', pattern: '^(a+)*$' } }]],
      ['a check that answers later', [{ ...text, key: 'plugin.a.b', schema: { $async: true } as never }]],
    ]
    for (const [why, declarations] of wrong) {
      assert.throws(() => catalogue.register(declarations), { code: 5009 }, why)
    }
    const unknown = await acme.owner.get(`/preferences?keys=${layout.key}`)
    assert.equal(unknown.status, 422)
  })

  it('answers other plugins, who cannot ask for what nobody declares', async () => {
    const reader = platform.test.kernel.services.get(preferences)
    const { api, id: userId } = await platform.createUser(acme, 'reader@acme.test', ['tenant_user'])
    dataOf(await api.patch('/preferences', { email_digest: 'weekly' }))
    const caller = { tenantId: acme.id, userId }
    assert.equal(await reader.get('email_digest', caller), 'weekly')
    assert.equal(await reader.get('chat_stream', caller), true)
    assert.equal(await reader.versionOf(caller), dataOf(await api.get('/preferences'))['version'])
    await assert.rejects(reader.get('nothing', caller), { code: 5009 })
  })

  it('speaks Chinese, with the same values', async () => {
    const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()
    const declared = Object.values(errors).map(({ reason, template }) => [reason, placeholders(template)])
    const translated = Object.entries(chineseErrors).map(([reason, text]) => [reason, placeholders(text)])
    assert.deepEqual(translated.sort(), declared.sort())
    const chinese = { headers: { 'accept-language': 'zh-CN' } }
    const answer = await acme.owner.patch('/preferences', { page_size: 5, nothing: 1 }, chinese)
    const faults = answer.body['errors'] as unknown as readonly Body[]
    assert.deepEqual(
      [answer.body['message'], ...faults.map(({ message }) => message)],
      ['部分偏好设置无效', '不能小于 10', '没有该偏好设置'],
    )
  })
})

async function valueOf(api: Api, key: string): Promise<unknown> {
  const [item] = dataOf(await api.get(`/preferences?keys=${key}`))['items'] as unknown as readonly Body[]
  return item?.['value']
}
