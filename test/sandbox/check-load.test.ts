import { rejects } from 'node:assert/strict'
import type { PluginManifest } from '#sandbox'
import { notesManifest, notesSource } from './plugin-notes.ts'
import { startPluginWorld, type PluginWorld } from './plugin-world.ts'

describe('a release', () => {
  let world: PluginWorld

  before(async () => {
    world = await startPluginWorld()
  })
  after(() => world[Symbol.asyncDispose]())

  it('is tried before it is taken', async () => {
    const hooks = { selfTest: 'check' }
    await world.sandbox.checkLoad(await world.release({ ...notesManifest, hooks }, notesSource))
    const bad = async (given: Partial<PluginManifest>, code: string): Promise<void> =>
      rejects(world.sandbox.checkLoad(await world.release(given, code)), { code: 4009, reason: 'plugin_not_loadable' })
    const throwing = notesSource.replace(`() => 'fine'`, '() => { throw new Error() }')
    await bad({ ...notesManifest, hooks }, throwing)
    await bad({ ...notesManifest, hooks }, notesSource.replace(`() => 'fine'`, '() => new Promise(() => {})'))
    await bad(notesManifest, notesSource.replace('fetch:', 'other:'))
    await bad(notesManifest, notesSource.replace(`'acme.notes.*':`, `'x':`))
    await bad(notesManifest, 'export default {')
    await bad(notesManifest, 'throw new Error()')
    await bad(notesManifest, 'for (;;);')
    await bad(notesManifest, 'export const a = 1')
  }).timeout(60_000)
})
