import type { PluginManifest } from '#sandbox'

/** What `acme.notes` asks for, over the smallest manifest. */
export const notesManifest: Partial<PluginManifest> = {
  capabilities: ['events', 'config'],
  optionalCapabilities: ['http'],
  events: { publish: ['acme.notes.added'], subscribe: ['acme.notes.*', 'acme.notes.added'] },
  permissions: [
    { code: 'read', title: { default: 'Read' } },
    { code: 'write', title: { default: 'Write' } },
  ],
  config: [
    { key: 'greeting', type: 'STRING', scope: 'tenant', default: 'Hi' },
    { key: 'mode', type: 'SELECT', scope: 'platform', options: ['a', { value: 'b', label: { default: 'B' } }] },
  ],
  menu: [{ id: 'notes', title: { default: 'Notes' }, slot: 'page', area: 'tenant' }],
  slots: [{ slot: 'page', id: 'page', entry: 'ui/page.html', permission: 'read' }],
  admin_routes: [{ method: 'GET', path: '/stats', handler: 'echo', permission: 'read' }],
  tenant_routes: [
    { method: 'GET', path: '/notes/:id', handler: 'echo', permission: 'read' },
    { method: 'POST', path: '/notes', handler: 'echo', permission: 'write', maxBodyKb: 1 },
    { method: 'POST', path: '/publish', handler: 'publish' },
    { method: 'GET', path: '/fail/:how', handler: 'fail' },
    { method: 'GET', path: '/fetch', handler: 'fetch' },
    { method: 'GET', path: '/slow', handler: 'slow', timeoutMs: 300 },
    { method: 'GET', path: '/hello', handler: 'hello' },
  ],
  public_routes: [{ method: 'POST', path: '/hook', handler: 'echo', auth: 'none', rate: { perIpPerMinute: 3 } }],
  locales: ['default', 'zh-CN'],
  limits: { wallMs: 10_000 },
}

/** Its code: handlers, listeners and a hook that do one thing each. */
export const notesSource = `
  const failures = {
    thrown() { throw Object.assign(new Error('No such note'), { code: 'not_found', reason: 'no_note' }) },
    returned() { return { status: 409, body: { message: 'Taken' } } },
    broken() { throw new TypeError('with internals') },
    invalid() { return { status: 200, headers: { 'set-cookie': 'a=b' } } },
    cpu() { for (;;); },
  }
  export default {
    handlers: {
      echo: (request, ctx) => ({ request, tenant: ctx.tenant, user: ctx.user, plugin: ctx.plugin, names: Object.keys(ctx).sort() }),
      publish: async (request, ctx) => ctx.events.publish('acme.notes.added', { greeting: await ctx.config.get('greeting') }),
      fail: (request) => failures[request.params.how](),
      fetch: async (request, ctx) => ctx.can('http') ? 'http' : 'none',
      slow: () => new Promise(() => {}),
      hello: (request, ctx) => ctx.t('hello', { name: 'Ann' }),
    },
    events: {
      'acme.notes.added': async (event, ctx) => { if (event.payload.fail) throw new Error('not now'); await ctx.events.publish(event.type, event) },
      'acme.notes.*': () => {},
    },
    hooks: { check: () => 'fine' },
  }`
