import { deepEqual } from 'node:assert/strict'
import { effectiveLimits, type GuestLicense, type Release } from '#sandbox'
import { PreparedPlugin } from '../../sandbox/prepared-plugin.ts'
import type { Broker } from '../../sandbox/supervisor/broker.ts'
import { grantsOf } from './capabilities-call.ts'

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
