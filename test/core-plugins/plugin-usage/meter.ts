import assert from 'node:assert/strict'
import type { Api, Body } from '../../support/api.ts'
import { createTenant, dataOf } from '../../support/platform.ts'
import { packSmall } from '../../support/small-plugin.ts'

/** A plugin that uses everything that is counted. */
export const meter = 'acme.meter'

const definition = `{
  handlers: {
    fetch: async (request, ctx) => (await ctx.http.fetch({ url: request.body.url, method: 'POST', body: 'four' })).status,
    store: async (request, ctx) => {
      await ctx.storage.put('a', '12345')
      return (await ctx.storage.get('a')).base64
    },
    insert: async (request, ctx, db) => {
      await db.table('things').insert({ title: 'one' })
      return (await db.table('things').select('title')).length
    },
    publish: (request, ctx) => ctx.events.publish('${meter}.done', {}),
    log: (request, ctx) => { for (let line = 0; line < 130; line++) ctx.log.info('line') },
    refuse: () => { throw Object.assign(new Error('No such thing'), { code: 'not_found' }) },
    fail: () => { throw new Error('broken on purpose') },
    spin: () => { for (;;); },
  },
}`
const handlers = ['fetch', 'store', 'insert', 'publish', 'log', 'refuse', 'fail', 'spin']

/** Its package; it may speak to this port of `upstream.localhost`. */
export function packMeter(port: number): Promise<Buffer> {
  const capabilities = ['http', 'storage', 'events', 'db:own_tables']
  const more = {
    capabilities,
    reasons: Object.fromEntries(capabilities.map((capability) => [capability, 'For the test.'])),
    http: { hosts: [{ host: 'upstream.localhost', ports: [port], methods: ['POST'], reason: 'For the test.' }] },
    events: { publish: [`${meter}.done`] },
    db: { tables: ['things'], migrations: 'migrations/' },
    storage: {},
    limits: { cpuMs: 500 },
    tenant_routes: handlers.map((handler) => ({ method: 'POST', path: `/${handler}`, handler })),
  }
  const migration = 'create table things (id bigint generated always as identity primary key, title text not null);'
  return packSmall(meter, more, definition, {
    'migrations/0001_things.up.sql': migration,
    'migrations/0001_things.down.sql': 'drop table things;',
  })
}

/** The plugin at a tenant of the test's own. */
export async function tenantWithMeter(admin: Api, code: string): Promise<{ owner: Api; id: number }> {
  const tenant = await createTenant(admin, code)
  dataOf(await admin.post(`/admin/plugins/${meter}/tenants`, { tenant_ids: [tenant.id] }))
  dataOf(await tenant.owner.post(`/tenant/plugins/${meter}/enable`))
  return tenant
}

/** The row whose member has this value. */
export function rowOf(rows: Body | undefined, member: string, value: unknown): Body {
  const found = (rows as unknown as Body[]).find((row) => (row[member] as unknown) === value)
  assert.ok(found, `no ${member} ${String(value)} in ${JSON.stringify(rows).slice(0, 300)}`)
  return found
}
