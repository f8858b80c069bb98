import assert from 'node:assert/strict'
import { corePlugins } from '../../../core-plugins/index.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import type { Plugin } from '#kernel'

describe('the core plugins', () => {
  let host: TestKernel

  // Elsewhere a schema is compiled with its first request: here all of them are.
  before(async () => {
    host = await startTestKernel({ plugins: corePlugins, compileSchemas: 'at-once' })
  })
  after(() => host[Symbol.asyncDispose]())

  for (const plugin of corePlugins) {
    it(`disable and enable ${plugin.name} and leave everything registered as it was`, async () => {
      const { kernel } = host
      const before = kernel.registered()
      const affected = [...usersOf(plugin)]
      for (const each of affected.toReversed()) await kernel.disable(each.name)
      const without = kernel.registered()
      for (const { name } of affected) assert.equal(without.plugins.includes(name), false)
      for (const each of affected) await kernel.enable(each)
      assert.deepEqual(kernel.registered(), before)
    })
  }

  it('leave nothing registered when all are disabled', async () => {
    const { kernel } = host
    const enabled = kernel.manifests.map(({ name }) => name)
    for (const name of enabled.toReversed()) await kernel.disable(name)
    const rest = kernel.registered()
    for (const name of enabled) await kernel.enable(find(name))
    const { services, ...others } = rest
    assert.deepEqual(others, { plugins: [], routes: [], listeners: {}, permissions: [], timers: 0 })
    assert.deepEqual(
      services.filter((id) => !id.startsWith('kernel.')),
      [],
    )
  })

  /** A plugin and all that need it, in the order in which they are enabled. */
  function usersOf(plugin: Plugin): Set<Plugin> {
    const affected = new Set([plugin])
    for (const { name } of host.kernel.manifests) {
      const candidate = find(name)
      const needs = Object.values(candidate.needs ?? {}).map(({ id }) => id)
      const isAffected = [...affected].some(({ provides = [] }) => provides.some(({ id }) => needs.includes(id)))
      if (isAffected) affected.add(candidate)
    }
    return affected
  }
})

function find(name: string): Plugin {
  const plugin = corePlugins.find((candidate) => candidate.name === name)
  assert.ok(plugin)
  return plugin
}
