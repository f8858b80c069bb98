import { packSmall } from '../../support/small-plugin.ts'

const text = { default: 'A text' }
const reasons = (...names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, 'Shows it.']))
const required = ['notify', 'users:read_basic', 'ui', 'ai:provider', 'storage:driver', 'storage', 'db:own_tables']
const optional = ['ai:tool', 'ai:invoke']
const order = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'integer', minimum: 1 }, how: { enum: ['short', 'long'], default: 'short' } },
}

const manifest = {
  capabilities: required,
  optionalCapabilities: optional,
  reasons: reasons(...required, ...optional),
  db: { tables: ['pieces'] },
  permissions: [{ code: 'read', title: text }],
  tenant_routes: ['notify', 'users', 'invoke', 'facts'].map((name) => ({
    ...{ method: 'POST', path: `/${name}`, handler: name, permission: 'read' },
  })),
  admin_routes: [{ method: 'POST', path: '/notify', handler: 'notify', permission: 'read' }],
  slots: [{ slot: 'page', id: 'book', entry: 'ui/page.html', permission: 'read' }],
  provides: {
    aiTools: [
      { name: 'order_lookup', description: text, input: order, output: { type: 'string' }, handler: 'lookUp' },
      { name: 'order_cancel', description: text, input: order, handler: 'cancel', effect: 'write', permission: 'read' },
    ],
    aiProviders: [
      {
        ...{ code: 'echo', title: text, secrets: ['api_key'] },
        config: [
          { key: 'api_key', type: 'PASSWORD', scope: 'platform' },
          { key: 'pin', type: 'PASSWORD', scope: 'platform' },
          { key: 'region', type: 'STRING', scope: 'platform' },
        ],
        handlers: { request: 'mapRequest', chunk: 'mapChunk', error: 'mapError', models: 'mapModels' },
      },
    ],
    storageDrivers: [
      {
        ...{ name: 'shelf', title: text },
        config: [
          { key: 'folder', type: 'STRING', scope: 'platform', default: 'a' },
          { key: 'access_key', type: 'PASSWORD', scope: 'platform' },
        ],
        handlers: { put: 'put', get: 'get', delete: 'drop', list: 'list', stat: 'stat', test: 'tryIt' },
      },
    ],
  },
}

const definition = `{
  handlers: {
    notify: async ({ body }, ctx) => ctx.notify.send(body),
    users: async ({ body }, ctx) => body.id === undefined ? ctx.users.list(body) : ctx.users.get(body.id),
    invoke: async ({ body }, ctx) => ctx.can('ai:invoke') ? ctx.ai.invoke(body) : 'refused',
    facts: (request, ctx) => ({ license: ctx.license, frozen: Object.isFrozen(ctx.users), bare: Object.getPrototypeOf(ctx.users) === null }),
  },
  aiTools: {
    lookUp: ({ id, how }, ctx) => ({ content: id === 13 ? 13 : how + ' ' + id + ' ' + ctx.tenant.code }),
    cancel: ({ id }, ctx) => {
      if (id === 4) throw Object.assign(new Error('It was sent already'), { name: 'PluginError', code: 'conflict' })
      return { content: { id, by: ctx.user.id, key: ctx.idempotencyKey, may: ctx.user.permissions } }
    },
  },
  aiProviders: {
    mapRequest: ({ wish, config }, ctx) => ({
      path: wish.body.path ?? '/chat',
      headers: { authorization: 'Bearer ' + config.api_key, ...wish.body.headers },
      body: { seen: config, wish, capabilities: ['notify', 'users:read_basic', 'storage', 'ai:invoke'].filter((name) => ctx.can(name)) },
    }),
    mapChunk: ({ events, state }) => ({ deltas: events.map(({ data }) => ({ type: 'text', text: data })), state: (state ?? 0) + events.length }),
    mapError: ({ status, body, headers }) => ({ class: status === 429 ? 'rate_limited' : 'other', message: body + (headers.via ?? ''), retryAfterSeconds: 2 }),
    mapModels: ({ body }) => ({ models: JSON.parse(body).data.map(({ id }) => ({ id })) }),
  },
  storageDrivers: {
    put: async ({ location, config, base64, offset, last, state }, ctx, db) => {
      if (config.folder === 'full' || ctx.can('storage')) throw new Error('no room')
      const key = config.folder + '/' + location
      const length = base64.length * 3 / 4 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
      await db.table('pieces').insert({ key, start: offset, value: base64, size: last ? offset + length : -1 })
      return { state: (state ?? 0) + 1 }
    },
    get: async ({ location, config, offset }, ctx, db) => {
      const pieces = db.table('pieces').select('value').where('key', '=', config.folder + '/' + location)
      const [found] = await pieces.where('start', '=', offset)
      return { base64: found.value }
    },
    drop: async ({ location, config }, ctx, db) => {
      await db.table('pieces').where('key', '=', config.folder + '/' + location).delete()
    },
    list: () => ({ objects: [] }),
    stat: async ({ location, config }, ctx, db) => {
      const pieces = db.table('pieces').select('size').where('key', '=', config.folder + '/' + location)
      const [found] = await pieces.where('size', '>=', 0)
      return found ? { size: found.size } : null
    },
    tryIt: ({ config }) => { if (config.access_key === 'wrong') throw new Error('refused') },
  },
}`

/** The page of the plugin below, with a script of its own and one from a file. */
export const page = '<!doctype html><script>start()</script><script src="app.js"></script><p>Book</p>'

/** Packs the plugin `acme.giver`, which provides and asks for everything there is. */
export function packGiver(): Promise<Buffer> {
  return packSmall('acme.giver', manifest, definition, {
    ...{ 'ui/page.html': page, 'ui/app.js': 'run()' },
    'migrations/0001_init.up.sql': `create table pieces (
      id serial primary key, key text not null, start integer not null, value text not null, size integer not null
    );`,
    'migrations/0001_init.down.sql': 'drop table pieces;',
  })
}
