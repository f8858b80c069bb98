import { deepEqual, equal, rejects } from 'node:assert/strict'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { objectStorage } from '../../../core-plugins/storage/contract.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { until } from '../../support/until.ts'

/** What a handler may call of each capability, and one that nothing is brought by. */
const calls: Readonly<Record<string, readonly string[]>> = {
  http: [`ctx.http.fetch({ url: 'https://api.example.com/' })`],
  storage: [
    `ctx.storage.get('a')`,
    `ctx.storage.put('a', 'b')`,
    `ctx.storage.delete('a')`,
    `ctx.storage.list()`,
    `ctx.storage.stat('a')`,
    `ctx.storage.signedUrl('a', { ttlSeconds: 60 })`,
    `ctx.storage.usage()`,
  ],
  events: [`ctx.events.publish('acme.lean.done', {})`],
  config: [`ctx.config.get('word')`, `ctx.config.all()`],
  notify: [`ctx.notify.send({ userId: 1, title: 'a' })`],
  'users:read_basic': [`ctx.users.get(1)`, `ctx.users.list()`],
  'ai:invoke': [`ctx.ai.invoke({})`],
  'attachments:read': [
    `ctx.attachments.find('a')`,
    `ctx.attachments.list()`,
    `ctx.attachments.read('a')`,
    `ctx.attachments.link('a', { ttlSeconds: 60 })`,
  ],
  'attachments:write': [
    `ctx.attachments.create({ filename: 'a.txt', data: 'a' })`,
    `ctx.attachments.keep('a')`,
    `ctx.attachments.delete('a')`,
  ],
  'db:own_tables': [
    `db.table('notes').select()`,
    `db.table('notes').where('id', 1).first()`,
    `db.table('notes').insert({ n: 1 })`,
    `db.table('notes').update({ n: 1 })`,
    `db.table('notes').delete()`,
    `db.table('notes').count()`,
    `db.tx(async () => 1)`,
  ],
}
const all = Object.values(calls).flat()
const capabilities = Object.keys(calls)

describe('a right that was taken back', () => {
  let platform: Platform
  const path = '/admin/plugins/acme.lean'

  before(async () => {
    platform = await startPlatform()
    const zip = await packSmall(
      'acme.lean',
      {
        capabilities,
        reasons: Object.fromEntries(capabilities.map((capability) => [capability, 'For the test.'])),
        http: { hosts: [{ host: 'api.example.com', ports: [443], methods: ['GET'], reason: 'For the test.' }] },
        events: { publish: ['acme.lean.done'] },
        config: [{ key: 'word', type: 'STRING', scope: 'platform', label: { default: 'Word' } }],
        db: { tables: ['notes'], migrations: 'migrations/' },
        admin_routes: [
          ...all.map((_, index) => ({ method: 'POST', path: `/call${index}`, handler: `call${index}` })),
          { method: 'POST', path: '/caught', handler: 'caught' },
          { method: 'POST', path: '/can', handler: 'can' },
        ],
      },
      `{ handlers: {
        ${all.map((call, index) => `async call${index}(request, ctx, db) { return (await ${call}) ?? null }`).join(',\n')},
        async caught(request, ctx) {
          return ctx.http.fetch({ url: 'https://api.example.com/' }).catch(({ name, code, details }) => [name, code, details])
        },
        can: (request, ctx) => ${JSON.stringify(capabilities)}.filter((capability) => ctx.can(capability)),
      } }`,
      { 'migrations/0001_init.up.sql': 'create table notes (id serial primary key, n int);' },
    )
    await installAndEnable(platform.admin, zip)
  })
  after(() => platform[Symbol.asyncDispose]())

  it('refuses every call of it with 403/4039, which names it, and which the handler may catch', async () => {
    const { admin } = platform
    deepEqual(dataOf(await admin.post(`${path}/api/can`)), capabilities)
    dataOf(await admin.put(`${path}/capabilities`, { granted: [] }))
    deepEqual(dataOf(await admin.post(`${path}/api/can`)), [])
    let index = 0
    for (const [capability, own] of Object.entries(calls)) {
      for (const call of own) {
        const { status, body } = await admin.post(`${path}/api/call${index++}`)
        const details = { capability }
        deepEqual(
          [status, body['code'], body['reason'], body['details']],
          [403, 4039, 'capability_missing', details],
          `${call}: ${JSON.stringify(body)}`,
        )
      }
    }
    const details = { reason: 'capability_missing', capability: 'http' }
    deepEqual(dataOf(await admin.post(`${path}/api/caught`)), ['PluginError', 'forbidden', details])
  })

  it('is there again when it is given back', async () => {
    const { admin } = platform
    dataOf(await admin.put(`${path}/capabilities`, { granted: ['db:own_tables'] }))
    deepEqual(dataOf(await admin.post(`${path}/api/can`)), ['db:own_tables'])
    const index = all.indexOf(`db.table('notes').insert({ n: 1 })`)
    equal((await admin.post(`${path}/api/call${index}`)).status, 200)
  })
})

describe('a right that was taken back, where a host cannot load the plugin anew', () => {
  let platform: Platform
  const plugin = '/admin/plugins/acme.stale'
  const reason = 'For the test.'
  const missing = { status: 403, code: 4039, reason: 'capability_missing' }

  before(async () => {
    platform = await startPlatform()
    const zip = await packSmall(
      'acme.stale',
      {
        capabilities: ['users:read_basic', 'ui', 'storage:driver'],
        reasons: { 'users:read_basic': reason, ui: reason, 'storage:driver': reason },
        provides: {
          storageDrivers: [
            {
              ...{ name: 'hole', title: { default: 'Hole' } },
              handlers: { put: 'put', get: 'none', delete: 'none', list: 'none', stat: 'none' },
            },
          ],
        },
        slots: [{ slot: 'page', id: 'page', entry: 'ui/page.html', title: { default: 'Page' }, area: 'admin' }],
        admin_routes: [{ method: 'POST', path: '/read', handler: 'read' }],
      },
      `{
        handlers: { async read(request, ctx) { return (await ctx.users.list()) && 'read' } },
        storageDrivers: { put: () => ({}), none: () => null },
      }`,
      { 'ui/page.html': '<p>A page</p>' },
    )
    await installAndEnable(platform.admin, zip)
  })
  after(() => platform[Symbol.asyncDispose]())

  it('is not there for what still runs, which is loaded as soon as the host can', async () => {
    const { admin, host } = platform
    const faults = async () => {
      const { items } = dataOf(await admin.get('/admin/hosts')) as unknown as { items: { faults: object[] }[] }
      return items.flatMap((one) => one.faults)
    }
    equal(dataOf(await admin.post(`${plugin}/api/read`)), 'read')
    const { items } = dataOf(await admin.get('/configs/storage/drivers')) as unknown as { items: { name: string }[] }
    const driver = items.find(({ name }) => name.endsWith('_hole'))?.name
    dataOf(await admin.put('/admin/configs/groups/platform_storage', { storage_driver: driver }))
    const keep = () => host.kernel.services.get(objectStorage).open('things', 0).put('a', Buffer.from('kept'))
    equal((await keep()).driver, driver)
    const folder = path.join(host.dataDir, 'packages', 'acme.stale')
    await rename(folder, `${folder}.away`)
    await writeFile(folder, 'in the way')
    try {
      equal(refusalOf(await admin.put(`${plugin}/capabilities`, { granted: [] })).reason, 'plugin_not_started')
      equal((await faults()).length, 1)
      deepEqual(refusalOf(await admin.post(`${plugin}/api/read`)), missing)
      await rejects(keep(), { code: 4043 })
    } finally {
      await rm(folder)
      await rename(`${folder}.away`, folder)
    }
    await until(async () => (await faults()).length === 0, 20_000)
    deepEqual(refusalOf(await admin.post(`${plugin}/api/read`)), missing)
  })
})
