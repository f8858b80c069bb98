import assert from 'node:assert/strict'
import type { ServiceCall } from '#sandbox'
import { ServiceCalls } from '../../../core-plugins/plugins/running/service-calls.ts'

const method = { name: 'find', handler: 'find', input: { type: 'object', properties: {} }, output: { type: 'number' } }
const manifest = {
  name: 'acme.crm',
  provides: { services: [{ name: 'contacts', version: '1.2.0', methods: [method] }] },
}
const asked = {
  ...{ plugin: 'acme.shop', provider: 'acme.crm', service: 'contacts', method: 'find', range: '^1.0.0', input: {} },
  ...{ tenant: { id: 7, code: 'acme' }, hop: 2, traceId: 't', signal: new AbortController().signal },
} satisfies ServiceCall

interface World {
  readonly granted?: readonly string[]
  readonly denied?: readonly string[]
  readonly closedFor?: number
}

describe('a call of one plugin to another', () => {
  const heard: unknown[] = []
  beforeEach(() => void (heard.length = 0))

  function call({ granted = ['services:provide'], denied = [], closedFor }: World = {}, change: object = {}) {
    const calls = new ServiceCalls()
    calls.open({
      loader: {
        find: (name: string) =>
          name === 'acme.crm' ? { release: { manifest }, grants: { capabilities: new Set(granted) } } : undefined,
      },
      state: {
        gate: (_name: string, tenantId: number) => ({ open: tenantId !== closedFor }),
        deniedFor: (_name: string, tenantId: number) => new Set(tenantId === 7 ? denied : []),
      },
      sandbox: {
        answer({ tenant, user, hop, input }: Readonly<Record<string, unknown>>) {
          heard.push({ tenant, user, hop, input: JSON.parse(String(input)) as unknown })
          return Promise.resolve('1')
        },
      },
    } as unknown as Parameters<ServiceCalls['open']>[0])
    return calls.call({ ...asked, ...change })
  }

  it('is answered in its tenant, by nobody’s rights, and tells who asks', async () => {
    assert.equal(await call(), 1)
    const input = { input: {}, from: 'acme.shop' }
    assert.deepEqual(heard, [{ tenant: { id: 7, code: 'acme' }, user: undefined, hop: 2, input }])
  })

  it('is not there where the plugin does not run, may not provide it, or has another version', async () => {
    const answers = await Promise.all([
      call({ closedFor: 7 }),
      call({ granted: [] }),
      call({ denied: ['services:provide'] }),
      call({}, { range: '^2.0.0' }),
      call({}, { method: 'constructor' }),
      call({}, { provider: 'acme.other' }),
    ])
    assert.deepEqual([answers, heard], [Array(6).fill(undefined), []])
  })
})
