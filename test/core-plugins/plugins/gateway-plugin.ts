import { packSources } from '../../support/packages.ts'
import { manifestOf } from '../../support/small-plugin.ts'

const optional = ['storage', 'events', 'http', 'config', 'notify', 'users:read_basic', 'ai:invoke']
const reasons = Object.fromEntries(['db:own_tables', ...optional].map((name) => [name, 'Shows it.']))

const manifest = manifestOf('acme.gate', {
  capabilities: ['db:own_tables'],
  optionalCapabilities: optional,
  reasons,
  db: { tables: ['calls'] },
  http: { hosts: [{ host: 'nowhere.invalid' }] },
  events: { publish: ['acme.gate.seen'] },
  config: [{ key: 'colour', type: 'STRING', scope: 'tenant', default: 'red' }],
  hooks: { postInstall: 'note', enable: 'enable', disable: 'note', uninstall: 'note', selfTest: 'check' },
  tenant_routes: [
    { method: 'GET', path: '/use', handler: 'use' },
    { method: 'GET', path: '/throw/:code', handler: 'raise' },
    { method: 'GET', path: '/return/:status', handler: 'give' },
    { method: 'GET', path: '/hang', handler: 'hang', timeoutMs: 400 },
    { method: 'GET', path: '/spin', handler: 'spin' },
    { method: 'GET', path: '/odd', handler: 'odd' },
    { method: 'GET', path: '/often', handler: 'often' },
    { method: 'GET', path: '/wait', handler: 'wait' },
    { method: 'GET', path: '/rare', handler: 'wait', rate: { perUserPerMinute: 1 } },
  ],
  admin_routes: [
    { method: 'GET', path: '/calls', handler: 'list' },
    { method: 'POST', path: '/fail', handler: 'refuseEnable' },
  ],
  public_routes: [
    { method: 'POST', path: '/hook', handler: 'verify', auth: 'none', rawBody: true },
    { method: 'POST', path: '/plain', handler: 'verify', auth: 'none' },
  ],
})

const source = `type Any = any
const secret = 'of the webhook'
const uses: Record<string, (ctx: Any) => Promise<unknown>> = {
  storage: (ctx) => ctx.storage.put('a', 'b'),
  events: (ctx) => ctx.events.publish('acme.gate.seen', {}),
  http: (ctx) => ctx.http.fetch({ url: 'https://nowhere.invalid/' }),
  config: (ctx) => ctx.config.get('colour'),
  notify: (ctx) => ctx.notify.send({ userId: ctx.user.id, title: 'Hello' }),
  users: (ctx) => ctx.users.get(ctx.user.id),
  ai: (ctx) => ctx.ai.invoke({ messages: [] }),
}
class Refused extends Error {
  override name = 'PluginError'
  readonly code: string
  constructor(code: string) {
    super('Because of ' + code)
    this.code = code
  }
}
function failDeep(): never {
  throw new TypeError('what only the author may know')
}
async function note(input: Any, ctx: Any, db: Any): Promise<void> {
  const { tenant, user } = ctx
  const names = Object.keys(ctx).filter((name) => name in uses).sort()
  await db.table('calls').insert({ what: JSON.stringify({ input, tenant, user, names }) })
}
export default {
  handlers: {
    async use(_: Any, ctx: Any, db: Any) {
      const done: Record<string, string> = {}
      for (const [name, use] of Object.entries(uses)) {
        done[name] = await use(ctx).then(() => 'done', (error) => error.details?.reason ?? error.code ?? error.message)
      }
      return { ...done, db: await db.table('calls').count() }
    },
    raise({ params }: Any) {
      if (params.code === 'plain') failDeep()
      throw new Refused(params.code)
    },
    give: ({ params }: Any) => ({ status: Number(params.status), body: { reason: 'own_reason', message: 'Own words', details: { a: 1 } } }),
    hang: () => new Promise(() => {}),
    spin() { for (;;); },
    odd: () => ({ status: 200, headers: { 'set-cookie': 'a=b' } }),
    async often(_: Any, ctx: Any) { for (let i = 0; i < 5; i += 1) await ctx.cache.get('a') },
    wait() { const end = Date.now() + 150; while (Date.now() < end); },
    list: async (_: Any, ctx: Any, db: Any) =>
      (await db.table('calls').select('what').orderBy('id').limit(100)).map(({ what }: Any) => JSON.parse(what)),
    refuseEnable: ({ body }: Any, ctx: Any) => ctx.cache.set('refuses', body.refuses),
    async verify({ rawBody, body, headers }: Any, ctx: Any) {
      if (rawBody === undefined) return { names: Object.keys(headers) }
      const signature = 'sha256=' + (await ctx.crypto.hmac(secret, rawBody))
      if (!ctx.crypto.timingSafeEqual(signature, headers['x-hub-signature-256'] ?? '')) throw new Refused('forbidden')
      return { seen: body }
    },
  },
  hooks: {
    note,
    check: () => undefined,
    async enable(input: Any, ctx: Any, db: Any) {
      const refuses = await ctx.cache.get('refuses')
      await ctx.cache.delete('refuses')
      if (refuses) throw new Error('not today')
      await note(input, ctx, db)
    },
  },
}
`

/** The line of the source above that throws. */
export const lineOfFault = source.split('\n').findIndex((line) => line.includes('what only the author')) + 1

/** Packs the plugin `acme.gate`, written in TypeScript, which fails in every way there is. */
export function packGate(): Promise<Buffer> {
  return packSources(manifest, '', {
    'src/index.ts': source,
    'migrations/0001_init.up.sql': 'create table calls (id serial primary key, what text not null);',
    'migrations/0001_init.down.sql': 'drop table calls;',
  })
}
