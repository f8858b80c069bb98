import assert from 'node:assert/strict'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { textOf } from '../../support/attachments.ts'
import type { Api, Body } from '../../support/api.ts'
import { png } from '../../support/png.ts'
import { createTenant, dataOf, refusalOf } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { actionsOf, menuOf, sendIcon, startChoicesWorld, type ChoicesWorld } from './choices-world.ts'

const plugin = '/admin/plugins/acme.chosen'
const own = '/tenant/plugins/acme.chosen'

describe('what administrators choose about a plugin', () => {
  let world: ChoicesWorld
  let admin: Api
  let owner: Api

  before(async () => {
    world = await startChoicesWorld()
    admin = world.admin
    owner = world.owner
  })
  after(() => world[Symbol.asyncDispose]())

  it('names, orders and hides its menu entries at once, and null puts them back', async () => {
    assert.deepEqual(await menuOf(owner), [{ title: 'Book', sort: 100, hidden: false }])
    const title = { default: 'Guests', 'zh-CN': '来宾' }
    const changed = dataOf(
      await admin.put(`${plugin}/menu-config`, { entries: [{ id: 'book', hidden: true, title, order: 7 }] }),
    )
    assert.deepEqual((changed['menu'] as unknown as Body[])[0]?.['overrides'], { hidden: true, title, order: 7 })
    assert.deepEqual(await menuOf(owner), [{ title: 'Guests', sort: 7, hidden: true }])
    dataOf(await admin.put(`${plugin}/menu-config`, { entries: [{ id: 'book', hidden: null, order: null }] }))
    assert.deepEqual(await menuOf(owner), [{ title: 'Guests', sort: 100, hidden: false }])
    dataOf(await admin.put(`${plugin}/menu-config`, { entries: null }))
    assert.deepEqual(await menuOf(owner), [{ title: 'Book', sort: 100, hidden: false }])
    const unknown = await admin.put(`${plugin}/menu-config`, { entries: [{ id: 'nowhere', hidden: true }] })
    assert.deepEqual(refusalOf(unknown), { status: 422, code: 4220, reason: 'validation_failed' })
    assert.ok((await actionsOf(admin)).includes('plugin.menu_changed'))
  })

  it('shows another picture to everybody who sees it, and the package’s again', async () => {
    assert.equal(refusalOf(await owner.get(`${own}/icon`)).reason, 'plugin_icon_not_found')
    const shown = dataOf(await sendIcon(admin, png(64, 64)))
    const url = shown['icon'] as unknown as string
    assert.match(url, /^\/plugins\/acme\.chosen\/icon\?v=[0-9a-f]{12}$/)
    for (const api of [admin, owner]) {
      const answer = await api.get(url)
      assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'image/png'])
      assert.equal(answer.headers['x-content-type-options'], 'nosniff')
      const etag = String(answer.headers['etag'])
      assert.equal((await api.get(url, { headers: { 'if-none-match': etag } })).status, 304)
    }
    assert.equal(refusalOf(await world.reader.get(url)).code, 4046)
    assert.equal(dataOf(await owner.get('/plugins'))['items']?.['0']?.['icon'], url)
    assert.equal(dataOf(await admin.delete(`${plugin}/icon`))['icon'], null)
    assert.equal(refusalOf(await owner.get(url)).code, 4040)
  })

  it('keeps the picture as a file of the platform as long as it is shown', async () => {
    const files = async (): Promise<readonly Body[]> => {
      const body = dataOf(await admin.get('/admin/attachments?usage=plugin&q=acme.chosen.icon'))
      return body['items'] as unknown as readonly Body[]
    }
    assert.deepEqual(await files(), [])
    dataOf(await sendIcon(admin, png(64, 64)))
    const [first] = await files()
    assert.deepEqual([first?.['filename'], first?.['visibility']], ['acme.chosen.icon.png', 'private'])
    const deleting = await admin.delete(`/admin/attachments/${textOf(first?.['id'])}`)
    assert.deepEqual(refusalOf(deleting), { status: 409, code: 4095, reason: 'attachment_in_use' })
    dataOf(await sendIcon(admin, png(32, 32)))
    const shown = await files()
    assert.deepEqual([shown.length, shown[0]?.['id'] === first?.['id']], [1, false])
    dataOf(await admin.delete(`${plugin}/icon`))
    assert.deepEqual(await files(), [])
  })

  it('still shows a picture that was chosen before pictures were files', async () => {
    const shown = dataOf(await sendIcon(admin, png(48, 48)))
    const url = shown['icon'] as unknown as string
    const { body } = await admin.get(url)
    const { database, services } = world.platform.host.kernel
    const row = database.knex('plugins').where({ name: 'acme.chosen' })
    const [{ icon }] = (await row.clone().select('icon')) as [{ icon: { sha256: string } }]
    const former = services.get(objectStorage).open('plugin-icons', 0)
    await former.put(`acme.chosen/${icon.sha256}`, png(48, 48), { contentType: 'image/png' })
    await row.clone().update({ icon: database.knex.raw(`icon - 'attachment'`) })
    assert.deepEqual((await admin.get(url)).body, body)
    dataOf(await admin.delete(`${plugin}/icon`))
    assert.deepEqual((await former.list({ prefix: 'acme.chosen/', limit: 9 })).items, [])
  })

  it('takes no picture that a package may not bring', async () => {
    const notImage = { status: 422, code: 4225, reason: 'plugin_icon_not_an_image' }
    assert.deepEqual(
      refusalOf(await sendIcon(admin, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(2)))),
      notImage,
    )
    const tooLarge = { status: 422, code: 4226, reason: 'plugin_icon_too_large' }
    assert.deepEqual(refusalOf(await sendIcon(admin, png(1025, 8))), tooLarge)
    assert.deepEqual(refusalOf(await sendIcon(admin, Buffer.alloc(1024 * 1024 + 1))).code, 4130)
    assert.deepEqual(refusalOf(await sendIcon(admin, png(8, 8), 'picture')).code, 4220)
  })

  it('takes a capability back that it needs, and gives it again', async () => {
    assert.deepEqual(dataOf(await owner.get(`${own}/api/use`)), { storage: 'there', notify: 'there' })
    const less = dataOf(await admin.put(`${plugin}/capabilities`, { granted: ['notify', 'ui', 'config'] }))
    assert.deepEqual([less['effective'], less['withheld']], [['notify', 'ui', 'config'], ['storage']])
    assert.deepEqual(dataOf(await owner.get(`${own}/api/use`)), { storage: 'withheld', notify: 'there' })
    dataOf(await admin.post(`${plugin}/sync-manifest`))
    assert.deepEqual(dataOf(await admin.get(`${plugin}/capabilities`))['withheld'], ['storage'])
    const none = dataOf(await admin.put(`${plugin}/capabilities`, { granted: ['storage', 'notify', 'config'] }))
    assert.deepEqual(none['withheld'], ['ui'])
    const slots = dataOf(await owner.get('/plugins/slots')) as unknown as Record<string, unknown[]>
    assert.deepEqual([slots['pages'], await menuOf(owner)], [[], []])
    dataOf(await admin.put(`${plugin}/capabilities`, { granted: ['storage', 'notify', 'ui', 'config'] }))
    assert.deepEqual(dataOf(await owner.get(`${own}/api/use`)), { storage: 'there', notify: 'there' })
    const beyond = await admin.put(`${plugin}/capabilities`, { granted: ['storage', 'http'] })
    assert.deepEqual(refusalOf(beyond), { status: 422, code: 4220, reason: 'validation_failed' })
    assert.equal((await actionsOf(admin)).filter((action) => action === 'plugin.capabilities_changed').length, 3)
  })

  it('is configured before it is enabled, and hides its settings from tenants meanwhile', async () => {
    dataOf(await owner.put(`${own}/config`, { greeting: 'Mine' }))
    dataOf(await admin.post(`${plugin}/disable`))
    assert.equal(refusalOf(await owner.get(`${own}/config`)).code, 4049)
    assert.deepEqual(dataOf(await admin.put(`${plugin}/config`, { address: 'x' }))['updated'], ['address'])
    assert.equal(dataOf(await admin.get(`${plugin}/config`))['items']?.['0']?.['value'], 'x')
    dataOf(await admin.post(`${plugin}/enable`))
    assert.equal(dataOf(await owner.get(`${own}/config`))['items']?.['0']?.['value'], 'Mine')
  })

  it('is found by what it is called, where it came from and how it is', async () => {
    const found = async (query: string) => Number(dataOf(await admin.get(`/admin/plugins?${query}`))['total'])
    const queries = ['q=chosen', 'q=选', 'scope=tenant', 'trust=local', 'source=upload', 'status=enabled', 'sort=-name']
    for (const query of queries) assert.equal(await found(query), 1, query)
    for (const query of ['q=nothing', 'scope=platform', 'trust=official', 'source=main', 'status=removing']) {
      assert.equal(await found(query), 0, query)
    }
    assert.deepEqual(dataOf(await admin.get('/plugins?status=broken'))['counts'], { enabled: 1 })
    const detail = dataOf(await admin.get(plugin)) as unknown as Record<string, unknown>
    assert.deepEqual(
      [detail['hooks'], detail['schedules'], detail['config_groups'], detail['backups'], detail['pinned']],
      [['selfTest'], 0, ['plugin.acme.chosen', 'plugin.acme.chosen.platform'], 0, false],
    )
    assert.equal((detail['last_operation'] as { kind: string }).kind, 'enable')
  })

  it('tells what still runs beside what began and ended since', async () => {
    const { knex } = world.platform.host.kernel.database
    const { id: pluginId } = dataOf(await admin.get(plugin))
    const lock = {
      plugin: 'package of acme.chosen',
      operation_id: crypto.randomUUID(),
      holder: 'elsewhere',
      fencing: 0,
    }
    await knex('plugin_locks').insert({ ...lock, expires_at: knex.raw(`now() + interval '1 hour'`) })
    const row = { id: lock.operation_id, plugin: 'acme.chosen', plugin_id: pluginId, kind: 'upgrade', step: 'download' }
    await knex('plugin_operations').insert({ ...row, plan: '["download"]', fencing: 0, place: lock.plugin })
    dataOf(await admin.post(`${plugin}/disable`))
    dataOf(await admin.post(`${plugin}/enable`))
    const told = async () => {
      const detail = dataOf(await admin.get(plugin)) as unknown as {
        readonly last_operation: { readonly kind: string; readonly state: string }
        readonly running_operations: readonly { readonly id: string; readonly step: string }[]
      }
      const { kind, state } = detail.last_operation
      return [kind, state, detail.running_operations.map(({ id, step }) => [id, step])]
    }
    assert.deepEqual(await told(), ['enable', 'succeeded', [[row.id, 'download']]])
    await knex('plugin_operations').where({ id: row.id }).update({ state: 'aborted', finished_at: knex.fn.now() })
    await knex('plugin_locks').where({ operation_id: row.id }).delete()
    assert.deepEqual(await told(), ['enable', 'succeeded', []])
  })

  it('is listed among those of the tenants that may use it, with their names', async () => {
    const other = await createTenant(admin, 'without')
    const detail = dataOf(await admin.get(plugin)) as unknown as { tenants: { tenant_id: number; tenant: object }[] }
    const [mine] = detail.tenants
    assert.deepEqual(mine?.tenant, { id: mine?.tenant_id, code: 'one', name: 'one' })
    const of = async (id: number) => {
      const { items, total, counts } = dataOf(await admin.get(`/admin/plugins?tenant_id=${id}`))
      const shown = items as unknown as { name: string; enabled_by_tenant: boolean }[]
      return { items: shown.map(({ name, enabled_by_tenant: isOn }) => [name, isOn]), total, counts } as unknown
    }
    assert.deepEqual(await of(mine?.tenant_id ?? 0), {
      items: [['acme.chosen', true]],
      total: 1,
      counts: { enabled: 1 },
    })
    dataOf(await owner.post(`${own}/disable`))
    assert.deepEqual(await of(mine?.tenant_id ?? 0), {
      items: [['acme.chosen', false]],
      total: 1,
      counts: { enabled: 1 },
    })
    dataOf(await owner.post(`${own}/enable`))
    assert.deepEqual(await of(other.id), { items: [], total: 0, counts: {} })
  })

  it('tells in the list how many tenants may use it, and how many of them do', async () => {
    const counts = async () => {
      const { items } = dataOf(await admin.get('/admin/plugins?q=acme.chosen')) as unknown as { items: object[] }
      return (items as { readonly tenant_counts: object }[]).map(({ tenant_counts: each }) => each)
    }
    const other = await createTenant(admin, 'counted')
    dataOf(await admin.post(`${plugin}/tenants`, { tenant_ids: [other.id] }))
    assert.deepEqual(await counts(), [{ assigned: 2, enabled: 1 }])
    dataOf(await owner.post(`${own}/disable`))
    assert.deepEqual(await counts(), [{ assigned: 2, enabled: 0 }])
    dataOf(await owner.post(`${own}/enable`))
    dataOf(await admin.delete(`${plugin}/tenants/${String(other.id)}`))
    assert.deepEqual(await counts(), [{ assigned: 1, enabled: 1 }])
  })

  it('has a log of what was done to all plugins, by kind and state', async () => {
    const { items } = dataOf(await admin.get('/plugins/operations?kind=capabilities&state=failed')) as unknown as {
      items: { plugin: string; kind: string; state: string }[]
    }
    assert.deepEqual(
      items.map(({ plugin: name, kind, state }) => `${name} ${kind} ${state}`),
      ['acme.chosen capabilities failed'],
    )
    const first = dataOf(await admin.get('/plugins/operations?limit=1'))
    const second = dataOf(
      await admin.get(`/plugins/operations?limit=1&cursor=${first['next_cursor'] as unknown as string}`),
    )
    assert.notEqual(first['items']?.['0']?.['id'], second['items']?.['0']?.['id'])
  })

  it('is told to whoever listens: its picture, its entries, its capabilities and its repairs', async () => {
    dataOf(await admin.post(`${plugin}/repair`))
    await until(() => world.heard.includes('repaired acme.chosen true'))
    // Three changes of entries, and of the picture two, three and two.
    assert.equal(world.heard.filter((line) => line === 'appearance acme.chosen').length, 10)
    assert.ok(world.heard.includes('withheld 1 acme.chosen'))
    assert.ok(world.heard.includes('withheld 0 acme.chosen'))
  })

  it('tells beforehand what an uninstall would remove', async () => {
    const plan = dataOf(await admin.delete(`${plugin}?dry_run=true`)) as unknown as Record<string, unknown>
    assert.deepEqual([plan['is_blocked'], plan['blocked_by']], [false, []])
    assert.equal((plan['steps'] as object[]).length, 14)
    assert.equal(dataOf(await admin.get(plugin))['status'], 'enabled')
  })
})
