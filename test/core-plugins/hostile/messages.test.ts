import assert from 'node:assert/strict'
import { installPlugin, startHostilePlatform, type HostilePlatform } from '../../support/hostile-platform.ts'
import { watchNeighbour } from '../../support/neighbour-watch.ts'
import { packFixture } from '../../support/packages.ts'

/** In the same sandbox host as `good.neighbour`, which its name decides. */
const flood = 'evil.flood'
const api = `/tenant/plugins/${flood}/api`
/** As far beyond a quiet call as a busy machine may take it, and far from what held it up before. */
const longestMs = 3_000

describe('messages of a plugin that are within every limit', () => {
  let platform: HostilePlatform

  before(async () => {
    platform = await startHostilePlatform()
    const { admin, demo, other } = platform
    const capabilities = ['storage', 'config', 'db:own_tables']
    const reasons = Object.fromEntries(capabilities.map((capability) => [capability, 'To send much.']))
    const none = { http: undefined, events: undefined }
    // What all its calls hold until their messages may go is its own, and must find room as well.
    const limits = { cpuMs: 5_000, wallMs: 25_000, memoryMb: 256 }
    const pack = packFixture('attacker', (manifest) => ({
      ...manifest,
      ...none,
      name: flood,
      capabilities,
      reasons,
      limits,
    }))
    await installPlugin(admin, flood, await pack, [demo, other])
  })
  after(() => platform[Symbol.asyncDispose]())

  /** Every place of the plugin is taken at once, half of them by each tenant. */
  async function attack(code: string, calls: number): Promise<readonly unknown[]> {
    const { demo, other } = platform
    const inEach = (line: string) =>
      Promise.all(
        [demo, other].map(async ({ api: who }) => (await who.post(`${api}/run`, { code: line })).body['data']),
      )
    // What a plugin leaves in its globals is gone with the host that it runs in.
    assert.deepEqual(await inEach('return (globalThis.isMarked = true)'), [true, true])
    await watchNeighbour(platform, demo.api.get(`${api}/ping`))
    const sent = Array.from({ length: calls }, async (_, index) => {
      const { api: who } = index % 2 === 0 ? demo : other
      const { body } = await who.post(`${api}/run`, { code })
      return body['data'] ?? body
    })
    const { value, failed, longest } = await watchNeighbour(platform, Promise.all(sent))
    assert.deepEqual(failed, [])
    assert.ok(longest < longestMs, `the neighbour waited ${Math.round(longest)} ms`)
    assert.deepEqual(await inEach('return globalThis.isMarked === true'), [true, true])
    return value
  }

  it('hostcalls flood 8×16×½M: the sandbox host lives, and no neighbour fails', async () => {
    // Eight times what is held of a plugin at once; a call may take no longer than 25 s, also on a busy machine.
    const code = `
      const value = 'x'.repeat(500_000)
      const told = ({ code, details }) => code + ' ' + details?.reason
      return Promise.all(Array.from({ length: 16 }, () => ctx.cache.set('key', value).catch(told)))`
    const refused = Array.from({ length: 16 }, () => 'invalid value_too_large')
    assert.deepEqual(
      await attack(code, 8),
      Array.from({ length: 8 }, () => refused),
    )
  })

  it('sha256 ×60 of 1M: the neighbour is let in between', async () => {
    const code = `
      const text = 'x'.repeat(1_000_000)
      return (await Promise.all(Array.from({ length: 30 }, () => ctx.crypto.sha256(text)))).length`
    assert.deepEqual(await attack(code, 2), [30, 30])
  })
})
