import { packSmall } from '../support/small-plugin.ts'
import type { Probe } from './watch.ts'

/** The plugin that nobody should disturb. */
export const neighbour = 'good.neighbour'

const api = `/tenant/plugins/${neighbour}/api`
const definition = (url: string) => `{
  handlers: {
    ping: () => 'pong',
    note: (request, ctx, db) => db.tx(async (tx) => {
      await tx.table('notes').upsert({ name: 'one', amount: 1 }, 'name')
      return (await tx.table('notes').limit(10)).length
    }),
    fetch: async (request, { http }) => (await http.fetch({ url: ${JSON.stringify(url)} })).status,
  },
}`
const table = 'create table notes (id bigserial primary key, name text not null unique, amount integer not null);'

/** Packs it: a handler of its own alone, one that writes and reads, one that asks a server elsewhere. */
export function packNeighbour(host: string, port: number): Promise<Buffer> {
  const capabilities = { 'db:own_tables': 'Keeps notes.', http: 'Asks elsewhere.' }
  return packSmall(
    neighbour,
    {
      capabilities: Object.keys(capabilities),
      reasons: capabilities,
      db: { tables: ['notes'], migrations: 'migrations/' },
      http: { hosts: [{ host, ports: [port], methods: ['GET'], reason: 'Is asked.' }] },
      tenant_routes: ['ping', 'note', 'fetch'].map((name) => ({ method: 'GET', path: `/${name}`, handler: name })),
    },
    definition(`http://${host}:${port}/`),
    { 'migrations/0001_init.up.sql': table },
  )
}

/** How it is called: twenty times a second, and beside that as often as its right to ask elsewhere lasts. */
export const probes: readonly Probe[] = [
  { name: 'ping', path: `${api}/ping`, everyMs: 50 },
  { name: 'note', path: `${api}/note`, everyMs: 500, acts: true },
  { name: 'fetch', path: `${api}/fetch`, everyMs: 1_250, acts: true },
]

/** A route of the platform itself, which knows who asks and reads the database. */
export const plainRoute: Probe = { name: 'plain', path: '/tenant/roles', everyMs: 250 }
