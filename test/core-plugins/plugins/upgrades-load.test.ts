import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { until } from '../../support/until.ts'
import { done, installFirst, packRelease, upgrade, versionOf, versionRoute } from './upgrades-world.ts'

const connections = 32
const turns = 4

/** Everything that stands in a table of which there is one: at no moment are there two of it, or none. */
const more = {
  capabilities: ['config', 'captcha', 'ai:tool', 'db:own_tables'],
  reasons: { config: 'Greets.', captcha: 'Asks.', 'ai:tool': 'Helps.', 'db:own_tables': 'Keeps.' },
  db: { tables: ['seen'], migrations: 'migrations/' },
  config: [{ key: 'greeting', type: 'STRING', scope: 'platform', default: 'Hello' }],
  admin_routes: [versionRoute, { method: 'POST', path: '/seen', handler: 'see' }],
  provides: {
    captcha: { code: 'busy', title: { default: 'Busy' } },
    aiTools: [
      {
        name: 'look',
        description: { default: 'Looks' },
        input: { type: 'object', additionalProperties: false },
        handler: 'look',
      },
    ],
  },
}
const sources = {
  handlers: `async see(request, ctx, db) { await db.table('seen').insert({ text: ctx.plugin.version }); return { version: ctx.plugin.version } },`,
  members: `aiTools: { look: () => ({}) }, captcha: { challenge: () => ({}), verify: () => ({ valid: true }) },`,
  files: { 'migrations/0001_init.up.sql': 'create table seen (id bigserial primary key, text text not null);' },
}

describe('upgrades under load', () => {
  let platform: Platform
  let admin: Api

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
  })
  after(() => platform[Symbol.asyncDispose]())

  it(`fail no request of ${connections} connections in ${turns} turns there and back`, async () => {
    const path = await installFirst(admin, 'acme.busy', more, sources)
    const next = await packRelease('acme.busy', '1.1.0', more, sources)
    const seen = new Map<string, number>()
    const refused: unknown[] = []
    let isOver = false
    const hammer = async (index: number) => {
      while (!isOver) {
        const answer = index % 2 === 0 ? await admin.get(`${path}/version`) : await admin.post(`${path}/seen`)
        if (answer.status !== 200) refused.push([answer.status, answer.body])
        const { version = 'none' } = (answer.body['data'] ?? {}) as unknown as { version?: string }
        seen.set(version, (seen.get(version) ?? 0) + 1)
      }
    }
    const hammers = Array.from({ length: connections }, (_, index) => hammer(index))
    try {
      await done(admin, 'acme.busy', await upgrade(admin, 'acme.busy', next))
      for (let turn = 1; turn < turns; turn++) {
        const isBack = turn % 2 === 1
        const body = isBack ? {} : { version: '1.1.0' }
        await done(admin, 'acme.busy', await admin.post(`/plugins/acme.busy/${isBack ? 'rollback' : 'upgrade'}`, body))
        const expected = isBack ? '1.0.0' : '1.1.0'
        // What is asked from now on is answered by the release that is active.
        assert.equal(await versionOf(admin, 'acme.busy'), expected)
      }
    } finally {
      isOver = true
      await Promise.all(hammers)
    }
    assert.deepEqual(refused, [])
    assert.deepEqual([...seen.keys()].sort(), ['1.0.0', '1.1.0'])
  })

  it('leave nothing of the release before when its last call has ended', async () => {
    // Longer than the upgrade takes, and so long that a pause of the machine is not what it ran out of (a 503 then).
    const slow = { method: 'GET', path: '/slow', handler: 'slow', timeoutMs: 6_000 }
    const held = { admin_routes: [versionRoute, slow] }
    const handlers = `slow: () => new Promise(() => {}),`
    const path = await installFirst(admin, 'acme.held', held, { handlers })
    const hanging = admin.get(`${path}/slow`)
    const inUse = () => platform.host.kernel.database.knex('plugin_hosts').first('leaving')
    dataOf(await upgrade(admin, 'acme.held', await packRelease('acme.held', '1.1.0', held, { handlers })))
    assert.equal(await versionOf(admin, 'acme.held'), '1.1.0')
    const { status, body } = await hanging
    assert.deepEqual([status, body['code']], [504, 5040])
    await until(async () => JSON.stringify((await inUse()) as object) === '{"leaving":[]}')
  })
})
