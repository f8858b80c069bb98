import { corePlugins } from '../../../core-plugins/index.ts'
import { createTestDatabase } from '../../support/cluster.ts'
import { silentLog, type TestKernelOptions } from '../../support/kernel.ts'
import { migratedFor } from '../../support/migrated.ts'
import { startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'
import { serverOf, startTcpProxy, type Rule, type TcpProxy } from '../../support/tcp-proxy.ts'

/** A platform whose database lies behind a wire, with a plugin that writes. */
export interface OutageWorld extends AsyncDisposable {
  readonly platform: Platform
  readonly wire: TcpProxy
}

/** Longer than a busy machine takes to come to what is waited for. */
const hurryMs = 3_000

/** Where the plugin's routes stand. */
export const notes = '/admin/plugins/acme.notes/api'

const handlers = `{ handlers: {
  async add({ body }, ctx, db) { await db.table('notes').insert({ text: body.text }); return {} },
  async addTwo({ body }, ctx, db) {
    await db.tx(async (tx) => {
      await tx.table('notes').insert({ text: body.text })
      await tx.table('notes').insert({ text: body.text + ' again' })
    })
    return {}
  },
  async shrug({ body }, ctx, db) {
    await db.tx(async (tx) => {
      await tx.table('notes').insert({ text: body.text })
      try { await tx.table('notes').insert({ text: null }) } catch {}
    })
    return {}
  },
  async lose({ body }, ctx, db) {
    try { await db.table('notes').insert({ text: body.text }) } catch { throw new Error('It did not work') }
    return {}
  },
  async keep({ body }, ctx) { await ctx.storage.put(body.text, 'content'); return {} },
  async list(request, ctx, db) { return { texts: (await db.table('notes').select().orderBy('id')).map(({ text }) => text) } },
} }`
const files = { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key, text text not null);' }
const manifest = {
  capabilities: ['db:own_tables', 'storage'],
  reasons: { 'db:own_tables': 'Keeps notes.', storage: 'Keeps files.' },
  db: { tables: ['notes'], migrations: 'migrations/' },
  admin_routes: [
    ...['add', 'addTwo', 'shrug', 'lose', 'keep'].map((name) => ({
      method: 'POST',
      path: `/${name.toLowerCase()}`,
      handler: name,
    })),
    { method: 'GET', path: '/notes', handler: 'list' },
    { method: 'POST', path: '/hurry', handler: 'addTwo', timeoutMs: hurryMs },
    { method: 'GET', path: '/hurry', handler: 'list', timeoutMs: hurryMs },
    { method: 'POST', path: '/quick', handler: 'add', timeoutMs: hurryMs },
  ],
}

/** The package of the plugin. */
export function packNotes(): Promise<Buffer> {
  return packSmall('acme.notes', manifest, handlers, files)
}

/** Starts the platform, and the plugin on it. */
export async function startOutageWorld(options: Partial<TestKernelOptions> = {}): Promise<OutageWorld> {
  await using started = new AsyncDisposableStack()
  const plugins = corePlugins.filter(({ name }) => name !== 'first_run')
  const database = started.use(await createTestDatabase(migratedFor(plugins, silentLog)))
  const wire = started.use(await startTcpProxy(serverOf(database.url)))
  const platform = started.use(await startPlatform({ databaseUrl: wire.through(database.url), ...options }))
  await installAndEnable(platform.admin, await packNotes())
  const resources = started.move()
  return { platform, wire, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Cuts connections at their COMMIT: `before` the server hears it, or `after`, when its answer is on the way. */
export function cutAtCommit(when: 'before' | 'after', whose: 'plugins' | 'platform'): Rule {
  const ofPlugins = new Set<number>()
  const committing = new Set<number>()
  return (piece, from, connection) => {
    if (from === 'client' && piece.includes('\0plg_')) ofPlugins.add(connection)
    if (from === 'server') return committing.has(connection) ? 'reset' : 'pass'
    if (!piece.includes('COMMIT') || ofPlugins.has(connection) !== (whose === 'plugins')) return 'pass'
    if (when === 'before') return 'reset'
    committing.add(connection)
    return 'pass'
  }
}

/** Keeps the server's answers back, from the piece on in which a plugin says this. */
export function keepAnswersBack(said: RegExp): Rule {
  const ofPlugins = new Set<number>()
  const silent = new Set<number>()
  return (piece, from, connection) => {
    if (from === 'server') return silent.has(connection) ? 'swallow' : 'pass'
    if (piece.includes('"plg_')) ofPlugins.add(connection)
    if (ofPlugins.has(connection) && said.test(piece.toString('latin1'))) silent.add(connection)
    return 'pass'
  }
}
