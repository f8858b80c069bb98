import { packSmall } from '../support/small-plugin.ts'

/** Where the plugin's routes stand. */
export const chaosPlugin = '/tenant/plugins/acme.chaos'

const definition = `{
  handlers: {
    async add({ body }, ctx, db) {
      await db.tx(async (tx) => {
        await tx.table('facts').insert({ text: body.id })
        await tx.table('facts').insert({ text: body.id + ' again' })
      })
      return {}
    },
    async say({ body }, { events }) { await events.publish('acme.chaos.said', body); return {} },
    async value(_, { config }) { return { value: await config.get('value') } },
  },
  events: {
    'acme.chaos.said': (event, ctx, db) => db.table('heard').insert({ event: event.id, number: event.payload.number }),
  },
  schedules: {
    tick: (run, ctx, db) => db.table('runs').insert({ run: run.run_id, at: run.scheduled_at, attempt: run.attempt }),
  },
}`
const tables = `
create table facts (id bigserial primary key, text text not null);
create table heard (id bigserial primary key, event text not null, number integer not null);
create table runs (id bigserial primary key, run text not null, at text not null, attempt integer not null);
`

/** A plugin that writes, talks, keeps time and reads its settings, and leaves a row of each. */
export function packChaos(): Promise<Buffer> {
  const capabilities = {
    'db:own_tables': 'Writes.',
    events: 'Talks to itself.',
    schedule: 'Keeps time.',
    config: 'Is set up.',
  }
  return packSmall(
    'acme.chaos',
    {
      capabilities: Object.keys(capabilities),
      reasons: capabilities,
      db: { tables: ['facts', 'heard', 'runs'], migrations: 'migrations/' },
      events: { publish: ['acme.chaos.said'], subscribe: ['acme.chaos.said'] },
      schedules: [{ id: 'tick', cron: '* * * * *', timezone: 'UTC', perTenant: true, handler: 'tick' }],
      config: [{ key: 'value', type: 'NUMBER', scope: 'tenant', label: { default: 'Value' }, default: 0 }],
      tenant_routes: [
        { method: 'POST', path: '/add', handler: 'add' },
        { method: 'POST', path: '/say', handler: 'say' },
        { method: 'GET', path: '/value', handler: 'value' },
      ],
    },
    definition,
    { 'migrations/0001_init.up.sql': tables },
  )
}
