import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict'
import type { AppError } from '#kernel'
import type { Release } from '#sandbox'
import { grantsFor, startPluginWorld, type PluginWorld } from './plugin-world.ts'

/** From the third line of the bundle to the third of the author's file. */
const map = JSON.stringify({ version: 3, sources: ['src/index.ts'], names: [], mappings: 'AAAA;;IAEE,SAAS' })
const run = { target: { kind: 'handler', name: 'run' }, input: '{}', tenant: { id: 1, code: 'one' } } as const

describe('a module that does not evaluate', () => {
  let world: PluginWorld
  let release: Release

  before(async () => {
    world = await startPluginWorld()
    release = await releaseOf('boom()')
  })
  after(() => world[Symbol.asyncDispose]())

  function releaseOf(line: string): Promise<Release> {
    const source = `\n\n    ${line}\nexport default { handlers: { run: () => 1 } }`
    return world.release({}, source, { 'dist/index.js.map': map })
  }

  it('shows the line of its author to whoever reads its log', async () => {
    const outcome = await world.sandbox.call({ release, grants: grantsFor(release), ...run })
    ok(!outcome.ok && outcome.kind === 'load')
    deepEqual(
      [outcome.message, outcome.stack],
      ['boom is not defined', 'ReferenceError: boom is not defined\n    at src/index.ts:3:3'],
    )
    const [failure] = world.sandbox.metering.takeFailures()
    equal(failure?.stack, outcome.stack)
  })

  it('shows a line that is no code', async () => {
    const broken = await releaseOf('const = 1')
    const outcome = await world.sandbox.call({ release: broken, grants: grantsFor(broken), ...run })
    match(!outcome.ok && outcome.kind === 'load' ? outcome.message : '', /\[src\/index\.ts:3:3\]$/)
  })

  it('shows it to who uploads it', async () => {
    await rejects(world.sandbox.checkLoad(release), {
      code: 4009,
      message: 'The plugin cannot be loaded: boom is not defined (src/index.ts:3:3)',
    })
  })

  it('shows the caller of a route nothing', async () => {
    const error = await world.sandbox
      .answer({ release, grants: grantsFor(release), ...run })
      .catch((refusal: AppError) => refusal)
    ok(error instanceof Error)
    const { code, message, details } = error
    deepEqual([code, message, details], [5004, 'The plugin failed', undefined])
    doesNotMatch(JSON.stringify(error), /boom|index/)
  })
})
