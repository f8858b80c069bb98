import assert from 'node:assert/strict'
import type { Answer } from '../../support/api.ts'
import { dataOf, refusalOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall } from '../../support/small-plugin.ts'

const definition = `{ handlers: {
  async run({ body }, ctx) {
    if (body.loop) { globalThis.kept = true; for (;;); }
    if (body.stuck) return new Array(1e9).fill(1).indexOf(2)
    if (body.read) await ctx.cache.get('a')
    if (body.keep) await ctx.cache.set('a', 1)
    if (ctx.now() < (body.until ?? 0)) await new Promise(() => {})
    return typeof kept
  },
} }`
const manifest = {
  scope: 'platform',
  public_routes: [
    { method: 'POST', path: '/run', handler: 'run', auth: 'none' },
    { method: 'POST', path: '/wait', handler: 'run', auth: 'none', timeoutMs: 2_000 },
  ],
}
/** Longer than a first attempt may go on, shorter than the attack on its host takes. */
const waitMs = 700

describe('a plugin among others', () => {
  let platform: Platform

  before(async () => {
    platform = await startPlatform()
    // Names of which the sandbox makes the same lane.
    for (const name of ['acme.a', 'acme.c']) {
      await installAndEnable(platform.admin, await packSmall(name, manifest, definition))
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  function run(name: string, body: object, path = 'run'): Promise<Answer> {
    return platform.host.api.post(`/api/public/plugins/${name}/api/${path}`, body)
  }

  it('keeps nothing of a call that ran into a limit', async () => {
    const limited = await run('acme.a', { loop: true })
    assert.deepEqual(refusalOf(limited), { status: 500, code: 5008, reason: 'sandbox_failed' })
    assert.equal(dataOf(await run('acme.a', {})), 'undefined')
  })

  it('is called again when another one brought its host down, unless something of it may be left', async () => {
    const until = Date.now() + waitMs
    const innocent = run('acme.a', { until })
    const reading = run('acme.a', { until, read: true })
    const kept = run('acme.a', { until: until + 60_000, keep: true })
    const guilty = await run('acme.c', { stuck: true })
    assert.deepEqual(refusalOf(guilty), { status: 500, code: 5008, reason: 'sandbox_failed' })
    assert.equal(dataOf(await innocent), 'undefined')
    assert.equal(dataOf(await reading), 'undefined')
    const restarted = await kept
    assert.deepEqual(refusalOf(restarted), { status: 503, code: 5035, reason: 'plugin_not_running' })
    assert.deepEqual(
      [restarted.body['details'], restarted.headers['retry-after']],
      [{ cause: 'plugin_restarted' }, '1'],
    )
  })

  it('runs apart from the others once it has brought a host down', async () => {
    const waiting = run('acme.a', { until: Date.now() + 60_000, keep: true }, 'wait')
    assert.equal((await run('acme.c', { stuck: true })).body['code'], 5008)
    // At its own wall clock: nobody took its host away.
    assert.deepEqual(refusalOf(await waiting), { status: 504, code: 5040, reason: 'plugin_timeout' })
  })
})
