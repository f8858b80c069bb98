import { packSmall } from '../../support/small-plugin.ts'

/** A plugin with something of everything that administrators choose about. */
export function packChosen(): Promise<Buffer> {
  const use = `(_, ctx) => {
    const has = (name) => (ctx.can(name) ? 'there' : 'withheld')
    return { storage: has('storage'), notify: has('notify') }
  }`
  const manifest = {
    title: { default: 'Chosen', 'zh-CN': '选择' },
    capabilities: ['storage', 'notify', 'ui', 'config'],
    reasons: { storage: 'Keeps.', notify: 'Tells.', ui: 'Shows.', config: 'Greets.' },
    permissions: [{ code: 'read', title: { default: 'Read' } }],
    tenant_routes: [{ method: 'GET', path: '/use', handler: 'use' }],
    slots: [{ slot: 'page', id: 'book', entry: 'ui/book.html', permission: 'read' }],
    menu: [{ id: 'book', title: { default: 'Book' }, slot: 'book', area: 'tenant' }],
    config: [
      { key: 'greeting', type: 'STRING', scope: 'tenant', default: 'Hello' },
      { key: 'address', type: 'STRING', scope: 'platform', default: '' },
    ],
    hooks: { selfTest: 'check' },
  }
  const definition = `{ handlers: { use: ${use} }, hooks: { check() {} } }`
  return packSmall('acme.chosen', manifest, definition, { 'ui/book.html': '<!doctype html><title>Book</title>' })
}
