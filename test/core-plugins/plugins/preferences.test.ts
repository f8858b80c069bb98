import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, createUser, dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const plugin = '/admin/plugins/acme.board'
const layout = 'plugin.acme.board.layout'
const preferences = [
  {
    key: 'layout',
    title: { default: 'Layout', 'zh-CN': '布局' },
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['columns'],
      properties: { columns: { type: 'integer', minimum: 1, maximum: 6 }, note: { type: 'string', maxLength: 20 } },
    },
    default: { columns: 3 },
  },
  { key: 'sound', title: { default: 'Sound' }, schema: { type: 'boolean' }, default: true },
]

describe('the preferences of a plugin', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  let user: Api
  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    owner = (await createTenant(admin, 'one')).owner
    user = await createUser(owner, 'one', ['user_preference:*'])
    await installAndEnable(admin, await packSmall('acme.board', { preferences }))
  })
  after(() => platform[Symbol.asyncDispose]())

  const find = async (api: Api, query = ''): Promise<Body | undefined> => {
    const items = dataOf(await api.get(`/preferences${query}`))['items'] as unknown as Body[]
    return items.find(({ key }) => (key as unknown) === layout)
  }

  it('are set by users and their administrators like any other, with a name in their language', async () => {
    dataOf(await owner.put('/tenant/preferences/global', { [layout]: { columns: 4 } }))
    dataOf(await user.patch('/preferences', { [layout]: { columns: 2, note: 'mine' } }))
    assert.deepEqual(await find(user), {
      ...{ key: layout, value: { columns: 2, note: 'mine' }, source: 'personal' },
      ...{ global_value: { columns: 4 }, system_value: { columns: 3 }, overridable: true },
    })
    const [{ name, schema } = {}] = dataOf(
      await user.get(`/preferences?keys=${layout}&describe=true`, { headers: { 'accept-language': 'zh-CN' } }),
    )['items'] as unknown as Record<string, unknown>[]
    assert.deepEqual([name, schema], ['布局', preferences[0]?.schema])
  })

  it('take no value that does not fit, and no key that was not declared', async () => {
    const faults = async (values: object) => {
      const { status, body } = await user.patch('/preferences', values)
      return [status, body['code'], (body['errors'] as unknown as { rule: string }[]).map(({ rule }) => rule)]
    }
    assert.deepEqual(await faults({ [layout]: { columns: 7 } }), [422, 4222, ['max_value']])
    assert.deepEqual(await faults({ [layout]: { columns: 1, x: 1 } }), [422, 4222, ['unknown_field']])
    assert.deepEqual(await faults({ 'plugin.acme.board.other': 1 }), [422, 4222, ['unknown_key']])
  })

  it('are not there while the plugin is disabled, and what was set comes back with it', async () => {
    dataOf(await admin.post(`${plugin}/disable`))
    assert.equal(await find(user), undefined)
    assert.deepEqual(refusalOf(await user.delete(`/preferences/${layout}`)).code, 4040)
    dataOf(await admin.post(`${plugin}/enable`))
    assert.deepEqual((await find(user))?.['value'], { columns: 2, note: 'mine' })
  })

  it('go with the plugin, as its plan says', async () => {
    const steps = dataOf(await admin.get(`${plugin}/uninstall-plan`))['steps'] as unknown as Step[]
    assert.deepEqual(steps.find(({ step }) => step === 'front_end')?.affects?.['preferences'], [
      layout,
      'plugin.acme.board.sound',
    ])
    const { operation_id } = dataOf(await admin.delete(`${plugin}?purge=true`)) as unknown as { operation_id: string }
    const operation = dataOf(await admin.get(`${plugin}/operations/${operation_id}`))
    const done = operation['steps'] as unknown as Step[]
    assert.deepEqual(done.find(({ step }) => step === 'front_end')?.result, {
      slots: 0,
      menu: 0,
      arranged: 0,
      preferences: 2,
    })
    await installAndEnable(admin, await packSmall('acme.board', { preferences }))
    assert.deepEqual((await find(user))?.['source'], 'system')
  })
})

interface Step {
  readonly step: string
  readonly affects?: Readonly<Record<string, unknown>>
  readonly result?: unknown
}
