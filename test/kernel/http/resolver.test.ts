import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createResolve } from '../../../kernel/http/egress/resolver.ts'
import { startFakeDns } from '../../support/fake-dns.ts'

describe('host names', () => {
  it('are asked for once by all who wait, and not again a moment after nobody answered', async () => {
    await using server = await startFakeDns((name) => (name === 'silent.test' ? undefined : ['192.0.2.7']))
    const resolve = createResolve({ dnsServers: [server.address], named: new Set() })
    const silent = Promise.allSettled(Array.from({ length: 48 }, () => resolve('silent.test')))
    assert.deepEqual(await resolve('other.test'), [{ address: '192.0.2.7', family: 4 }])
    const outcomes = await silent
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    const asked = server.questions.filter((question) => question.endsWith('silent.test')).length
    assert.ok(asked <= 4, `${asked} questions: one of each kind, and each once more`)
    await assert.rejects(resolve('SILENT.test'))
    assert.equal(server.questions.filter((question) => question.endsWith('silent.test')).length, asked)
  })

  it('take no thread of the process, unless the operator named the host', async () => {
    const original = dns.lookup
    const seen: string[] = []
    dns.lookup = ((name: string) => {
      seen.push(name)
      return Promise.resolve([{ address: '10.0.0.7', family: 4 }])
    }) as unknown as typeof dns.lookup
    syncBuiltinESMExports()
    try {
      const resolve = createResolve({ dnsServers: [], named: new Set(['minio:9000']) })
      assert.deepEqual(await resolve('minio'), [{ address: '10.0.0.7', family: 4 }])
      // Whatever the name servers of this machine say of it.
      await resolve('nowhere.invalid').catch(() => undefined)
      assert.deepEqual(seen, ['minio'])
    } finally {
      dns.lookup = original
      syncBuiltinESMExports()
    }
  })
})
