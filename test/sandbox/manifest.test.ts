import { deepEqual, equal, ok } from 'node:assert/strict'
import { parseManifest, permissionCode, pluginHash8, tableName } from '#sandbox'
import { refused, unparsable } from './manifest-refusals.ts'
import { faultsOf, guestbook, item, route, text } from './manifest-samples.ts'
import { countCpuTime } from '../support/cpu-time.ts'

describe('the manifest', () => {
  it('is read with every field of the contract', () => {
    const manifest = parseManifest(guestbook)
    deepEqual(manifest, JSON.parse(guestbook.toString('utf8')))
  })

  for (const [name, [changes, ...faults]] of Object.entries(refused)) {
    it(`is refused with ${name}`, () => deepEqual(faultsOf(text(changes)), faults))
  }
  for (const [name, [source, fault]] of Object.entries(unparsable)) {
    it(`is refused when it is ${name}`, () => deepEqual(faultsOf(source), [fault]))
  }

  it('reports the faults of every section together', () => {
    const changes = {
      version: '1',
      capabilities: ['storage'],
      tenant_routes: [route({ path: 'a' })],
      limits: { cpuMs: 0 },
    }
    deepEqual(faultsOf(text(changes)).sort(), [
      'limits.cpuMs minimum',
      'reasons.storage required',
      'tenant_routes.0.path path',
      'version semver',
    ])
  })

  it('stops at a hundred faults, and soon', () => {
    const cpuTime = countCpuTime()
    equal(faultsOf(text({ keywords: Array.from({ length: 9_000 }, () => 1) })).length, 100)
    ok(cpuTime() < 1_000)
  })

  it('accepts patterns that cannot run away', () => {
    for (const pattern of ['^[a-z]{2,10}$', '^\\d{4}-\\d{2}$', '^[^@]+@[^@]+$', '^(EUR|USD)$', '^#[0-9a-f]{6}$']) {
      deepEqual(faultsOf(text(item({ rules: { pattern } }))), [], pattern)
    }
  })
})

describe('the names derived from a plugin', () => {
  it('are the same everywhere and no prefix of one another', () => {
    deepEqual(
      [pluginHash8('acme.sample'), tableName('acme.sample', 'rows'), permissionCode('acme.sample', 'read')],
      ['c195f3d0', 'plg_c195f3d0_rows', 'plugin.acme.sample:read'],
    )
  })
})
