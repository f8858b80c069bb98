import assert from 'node:assert/strict'
import { isBonded, type Ties } from '../../../core-plugins/plugin-index/judging/bonds.ts'
import { judgeRelease } from '../../../core-plugins/plugin-index/judging/judge-installed.ts'
import type { OpenSource } from '../../../core-plugins/plugin-index/sources/source-set.ts'

interface Said {
  readonly id: string
  readonly unsigned?: boolean
  readonly judges?: readonly string[]
  readonly action?: 'warn' | 'block_install' | 'disable'
  readonly revokedKey?: string
  readonly listedKey?: string
}

function source({ id, unsigned = false, judges = [], action, revokedKey, listedKey }: Said): OpenSource {
  const plugins = action
    ? [{ plugin: 'acme.crm', versions: '*', action, severity: 'high', reason: 'It leaks', cve: 'CVE-1' }]
    : []
  const keys = revokedKey === undefined ? [] : [{ kid: revokedKey, revoked: '2026-01-01T00:00:00.000Z' }]
  const listed = listedKey === undefined ? [] : [{ kid: 'acme-1', publicKey: listedKey }]
  const index = {
    revocations: { format: 1, plugins, keys, licenses: [] },
    publishers: { format: 1, publishers: { acme: { name: 'Acme', keys: listed } } },
  }
  return { row: { id, unsigned, judges }, index } as unknown as OpenSource
}

describe('what index sources say against a plugin', () => {
  const said = (sources: readonly Said[], ties: Partial<Ties> = {}) => {
    const judged = { name: 'acme.crm', version: '1.0.0', kid: 'acme-1', origins: ['own'], key: undefined, ...ties }
    const verdict = judgeRelease(sources.map(source), judged)
    return verdict && [verdict.source, verdict.action, verdict.asked]
  }

  it('counts where the plugin came from there, or an administrator lets the source judge', () => {
    assert.deepEqual(said([{ id: 'own', action: 'disable' }]), ['own', 'disable', null])
    assert.deepEqual(said([{ id: 'other', action: 'disable', judges: ['acme.*'] }]), ['other', 'disable', null])
    assert.deepEqual(said([{ id: 'own', unsigned: true, action: 'disable' }]), ['own', 'disable', null])
  })

  it('is a warning where a signed one has nothing to do with it, and nothing where nobody signed it', () => {
    assert.deepEqual(said([{ id: 'other', action: 'disable' }]), ['other', 'warn', 'disable'])
    assert.deepEqual(said([{ id: 'other', judges: ['acme.other'], action: 'disable' }]), ['other', 'warn', 'disable'])
    assert.equal(said([{ id: 'other', unsigned: true, action: 'disable' }]), undefined)
  })

  it('is what asks for most, and of the same what is heard', () => {
    const warns = { id: 'other', judges: ['*'], action: 'warn' } as const
    assert.deepEqual(said([warns, { id: 'own', action: 'disable' }]), ['own', 'disable', null])
    assert.deepEqual(said([{ id: 'stranger', action: 'disable' }, warns]), ['other', 'warn', null])
  })

  it('keeps what a revoked key signed from being installed', () => {
    assert.deepEqual(said([{ id: 'own', revokedKey: 'acme-1' }]), ['own', 'block_install', null])
    assert.equal(said([{ id: 'own', revokedKey: 'acme-2' }]), undefined)
  })

  it('counts by the key where it is believed through that source, and by no copy of a public key', () => {
    const key = { kid: 'acme-1', publicKey: 'k', publisher: 'acme', level: 'verified', believed: true } as const
    const hears = (given: Said, from: string | null, believed = true) =>
      isBonded(source(given), { name: 'acme.crm', origins: [null], key: { ...key, source: from, believed } })
    assert.deepEqual(
      [
        hears({ id: 'one', listedKey: 'k' }, 'one'),
        hears({ id: 'two', listedKey: 'k' }, 'one'),
        hears({ id: 'two', listedKey: 'k' }, null),
        hears({ id: 'two', listedKey: 'other' }, null),
        hears({ id: 'two', listedKey: 'k' }, null, false),
        hears({ id: 'one', listedKey: 'k', unsigned: true }, 'one'),
      ],
      [true, false, true, false, false, false],
    )
  })
})
