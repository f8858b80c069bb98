// @both-back-ends
import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const failures = ['conflict', 'rate_limited', 'upstream', 'crash']
const definition = `{
  handlers: {
    async fail({ body: { how, writes } }, ctx) {
      if (writes) await ctx.storage.put(String(Math.random()), 'one run')
      if (how === 'crash') throw new Error('no answer of its own')
      if (how !== undefined) throw Object.assign(new Error(how), { name: 'PluginError', code: how })
      return { objects: (await ctx.storage.list()).objects.length }
    },
  },
}`

describe('an Idempotency-Key of a plugin’s route', () => {
  let platform: Platform
  let owner: Api

  before(async () => {
    platform = await startPlatform()
    const tenant = await createTenant(platform.admin, 'one')
    owner = tenant.owner
    const manifest = {
      capabilities: ['storage'],
      reasons: { storage: 'Counts.' },
      tenant_routes: [{ method: 'POST', path: '/fail', handler: 'fail' }],
    }
    await installAndEnable(platform.admin, await packSmall('acme.fails', manifest, definition))
    dataOf(await platform.admin.post('/plugins/acme.fails/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await owner.post('/tenant/plugins/acme.fails/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  function ask(body: object, key?: string): Promise<Answer> {
    return owner.post('/tenant/plugins/acme.fails/api/fail', body, key ? { headers: { 'idempotency-key': key } } : {})
  }
  const shown = ({ status, headers }: Answer) => [status, headers['idempotent-replayed'] ?? null]

  it('does what it wrote once, however it failed after that', async () => {
    const answers = []
    for (const how of failures) {
      const [first, again] = [await ask({ how, writes: true }, how), await ask({ how, writes: true }, how)]
      answers.push([how, ...shown(first), ...shown(again), again.body['reason']])
    }
    assert.deepEqual(answers, [
      ['conflict', 409, null, 409, 'true', 'plugin.acme.fails.conflict'],
      ['rate_limited', 429, null, 409, 'true', 'request_outcome_unknown'],
      ['upstream', 502, null, 502, 'true', 'plugin.acme.fails.upstream'],
      ['crash', 500, null, 500, 'true', 'plugin_handler_failed'],
    ])
    assert.deepEqual(dataOf(await ask({})), { objects: failures.length })
  })

  it('is free again when the guest failed before it asked the platform for anything', async () => {
    for (const how of failures) {
      const answers = [await ask({ how }, `${how}-free`), await ask({ how }, `${how}-free`)]
      assert.deepEqual(
        answers.map(({ headers }) => headers['idempotent-replayed'] ?? null),
        [null, null],
        how,
      )
    }
  })
})
