import { packSmall } from '../../support/small-plugin.ts'

const definition = `{
  handlers: {
    async start({ body }, ctx) { return ctx.jobs.enqueue(body.name, body.input, body.options) },
    async look({ params }, ctx) { return { job: await ctx.jobs.find(params.id) } },
    async many(_, ctx) { for (;;) await ctx.jobs.enqueue('count', { to: 1 }, { delay: 3_600_000 }) },
    async stop({ params }, ctx) { return { cancelled: await ctx.jobs.cancel(params.id) } },
    notes: async (_, ctx, db) => ({ notes: (await db.table('notes').select('text').orderBy('id')).map(({ text }) => text) }),
  },
  jobs: {
    async count({ input, state, step }, ctx, db) {
      const done = (state ?? 0) + 1
      await db.table('notes').insert({ text: (input.name ?? '') + done + '/' + step + (ctx.tenant ? ctx.tenant.code : '') + (ctx.user ? 'user' : '') })
      return done < input.to ? { next: done, progress: done * 100 / input.to, text: 'at ' + done, delay: input.delay ?? 0 } : { counted: done }
    },
    async fragile({ attempt, step }) { if (attempt < 3) throw new Error('not yet'); return { attempt, step } },
    broken: () => { throw new Error('never') },
    slow: () => new Promise((resolve) => setTimeout(resolve, 100_000)),
    async again(job, ctx) { return { id: (await ctx.jobs.enqueue('count', { to: 1 })).id } },
  },
}`

/** Packs a plugin that has work done later: whole numbers counted, in steps, and what fails. */
export function packWorker(name = 'acme.worker', more: object = {}): Promise<Buffer> {
  return packSmall(
    name,
    {
      capabilities: ['jobs', 'db:own_tables'],
      reasons: { jobs: 'Works later.', 'db:own_tables': 'Remembers.' },
      db: { tables: ['notes'], migrations: 'migrations/' },
      jobs: [
        { name: 'count', handler: 'count', minutes: 1 },
        { name: 'slow', handler: 'slow', timeoutMs: 300 },
        ...['fragile', 'again', 'broken'].map((job) => ({ name: job, handler: job })),
      ],
      tenant_routes: [
        { method: 'POST', path: '/jobs', handler: 'start' },
        { method: 'GET', path: '/jobs/:id', handler: 'look' },
        { method: 'POST', path: '/many', handler: 'many' },
        { method: 'DELETE', path: '/jobs/:id', handler: 'stop' },
        { method: 'GET', path: '/notes', handler: 'notes' },
      ],
      ...more,
    },
    definition,
    { 'migrations/0001_init.up.sql': 'create table notes (id bigserial primary key, text text not null);' },
  )
}
