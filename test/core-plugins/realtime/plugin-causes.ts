import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { packLicensed } from '../plugin-licences/world.ts'
import type { Cause } from './wire-world.ts'

const own = ['owner/tenant']
const staff = ['admin/admin']
const index = pathToFileURL(path.join(import.meta.dirname, '..', '..', 'fixtures', 'index')).href

/** Where the plugin of the table is managed. */
export const plugin = '/admin/plugins/acme.live'

/** It publishes what it is told, and has a page for those who may read, and one for the platform's staff. */
function packLive(version: string, more: readonly string[] = []): Promise<Buffer> {
  const capabilities = ['events', 'ui', ...more]
  const slot = { slot: 'page', entry: 'ui/page.html' }
  const say = { method: 'POST', path: '/say', handler: 'say' }
  const manifest = {
    ...{ version, capabilities, reasons: Object.fromEntries(capabilities.map((name) => [name, 'For a test.'])) },
    ...{ events: { publish: ['acme.live.said'], subscribe: [] }, tenant_routes: [say], admin_routes: [say] },
    permissions: [{ code: 'read', title: { default: 'Read' } }],
    slots: [
      { ...slot, id: 'book', permission: 'read' },
      { ...slot, id: 'desk', area: 'admin' },
    ],
  }
  const definition = `{
    handlers: { async say({ body }, { events }) { await events.publish('acme.live.said', body); return {} } },
  }`
  return packSmall('acme.live', manifest, definition, { 'ui/page.html': '<!doctype html><title>Live</title>' })
}

/** Has another release of it installed. */
async function upgrade(admin: Api, zip: Promise<Buffer>): Promise<Answer> {
  const file = { field: 'file', name: 'a.plugin.zip', content: await zip }
  return admin.call('POST', `${plugin}/upgrade`, { file })
}

/** What administrators do with plugins. */
export const pluginCauses: readonly Cause[] = [
  ['plugin.operation', staff, async ({ platform }) => installAndEnable(platform.admin, await packLive('1.0.0'))],
  [
    'plugin.disabled',
    own,
    async ({ platform, acme }) => {
      dataOf(await platform.admin.post(`${plugin}/tenants`, { tenant_ids: [acme.id] }))
      dataOf(await acme.owner.post('/tenant/plugins/acme.live/enable'))
      dataOf(await platform.admin.post(`${plugin}/disable`))
    },
  ],
  ['plugin.enabled', own, ({ platform }) => platform.admin.post(`${plugin}/enable`)],
  ['plugin.updated', own, ({ platform }) => upgrade(platform.admin, packLive('1.1.0'))],
  ['menus.changed', staff, ({ platform }) => platform.admin.put(`${plugin}/menu-config`, { entries: [] })],
  ['plugin.consent_wanted', staff, ({ platform }) => upgrade(platform.admin, packLive('1.2.0', ['storage']))],
  [
    'plugin.license_changed',
    [...own, ...staff],
    async ({ platform, acme }) => {
      await installAndEnable(platform.admin, await packLicensed('acme.paid'))
      dataOf(await platform.admin.post('/plugins/acme.paid/tenants', { tenant_ids: [acme.id] }))
      return platform.admin.post('/plugins/acme.paid/activate-trial', { tenant_id: acme.id })
    },
  ],
  [
    'plugin.sources_changed',
    staff,
    ({ platform }) => platform.admin.post('/plugins/sources', { id: 'sample', name: 'Sample', url: index }),
  ],
]
