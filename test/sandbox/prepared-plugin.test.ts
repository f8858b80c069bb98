import { deepEqual } from 'node:assert/strict'
import { effectiveLimits, type Capability, type GuestLicense, type Release } from '#sandbox'
import { PreparedPlugin } from '../../sandbox/prepared-plugin.ts'
import type { Broker } from '../../sandbox/broker/broker.ts'
import { grantsOf } from './capabilities-call.ts'
import { grantsFor, startPluginWorld } from './plugin-world.ts'

const release = {
  ...{ name: 'acme.bounded', version: '1.0.0', treeHash: '0'.repeat(64), directory: '/nowhere', files: {} },
  ...{ manifest: { main: 'dist/index.js' }, trust: 'local' },
} as unknown as Release

describe('the limits of a plugin', () => {
  it('are those of the platform’s configuration over those that were granted, memory included', () => {
    const grants = grantsOf({ limits: effectiveLimits({ memoryMb: 256, concurrency: 2, cpuMs: 3_000 }) })
    let overrides: object = { memoryMb: 160, tenantConcurrency: 1 }
    const license = (): GuestLicense => ({ state: 'none', features: [], expiresAt: null })
    const services = { limits: () => overrides, license }
    const prepared = new PreparedPlugin({ release, grants }, {} as Broker, services, new Map())
    const { concurrency, tenantConcurrency, cpuMs } = prepared.limits
    deepEqual([prepared.code.memoryMb, concurrency, tenantConcurrency, cpuMs], [160, 2, 1, 3_000])
    overrides = { concurrency: 100 }
    deepEqual([prepared.limits.concurrency, prepared.limits.tenantConcurrency], [8, 4])
  })
})

describe('a capability that is taken back while a call is under way', () => {
  it('is refused at the next host call', async () => {
    let denied: ReadonlySet<Capability> = new Set()
    const config = () => {
      denied = new Set(['users:read_basic'])
      return Promise.resolve({})
    }
    await using world = await startPluginWorld({}, { config })
    const source = `export default { handlers: { async run(request, ctx) {
      const before = await ctx.users.list()
      await ctx.config.all()
      return ctx.users.list().catch(({ details }) => [Array.isArray(before.users), details.reason])
    } } }`
    const own = await world.release({ capabilities: ['config', 'users:read_basic'] }, source)
    const grants = { ...grantsFor(own), deniedFor: () => denied }
    const outcome = await world.sandbox.call({
      ...{ release: own, grants, input: '{}' },
      target: { kind: 'handler', name: 'run' },
    })
    deepEqual(outcome.ok && outcome.value, '[true,"capability_missing"]', JSON.stringify(outcome))
  })
})
