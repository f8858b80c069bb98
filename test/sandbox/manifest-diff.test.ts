import { deepEqual, equal, ok } from 'node:assert/strict'
import { consentItems, diffManifests, parseManifest } from '#sandbox'
import { guestbook, host, parse, route, slot } from './manifest-samples.ts'

describe('the difference of two manifests', () => {
  const before = parse({ ...host('api.example.com'), limits: { cpuMs: 500 } })

  it('is none for another version with the same rights', () => {
    const { change, added, removed } = diffManifests(before, { ...before, version: '1.0.1' })
    deepEqual({ change, added, removed }, { change: 'none', added: [], removed: [] })
  })

  it('is wider for each new right, with its reason', () => {
    const after = parse({
      capabilities: ['http', 'storage', 'events', 'db:own_tables', 'ui'],
      reasons: { http: 'h', storage: 's', events: 'e', 'db:own_tables': 'd', ui: 'u' },
      http: { hosts: [{ host: 'api.example.com', methods: ['GET', 'POST'], reason: 'orders' }] },
      events: { subscribe: ['kernel.tenant.created'] },
      db: { tables: ['rows'] },
      slots: [slot()],
      public_routes: [route({ path: '/hook/:id', auth: 'none' })],
      limits: { cpuMs: 900 },
    })
    const { change, added, removed } = diffManifests(before, after)
    equal(change, 'wider')
    deepEqual(removed, [])
    deepEqual(
      added.map(({ kind, detail, reason }) => [kind, detail, reason]),
      [
        ['capability', 'db:own_tables', 'd'],
        ['capability', 'events', 'e'],
        ['capability', 'storage', 's'],
        ['capability', 'ui', 'u'],
        ['host', 'POST api.example.com:443', 'orders'],
        ['limit', 'cpuMs 900', undefined],
        ['limit', 'storage.maxObjectMb 20', 's'],
        ['limit', 'storage.quotaMb 200', 's'],
        ['public_route', 'GET /hook/:', undefined],
        ['slot', 'tenant page', 'u'],
        ['subscription', 'kernel.tenant.created', 'e'],
        ['table', 'rows', 'd'],
      ],
    )
  })

  it('is wider when a free plugin costs money from now on, and narrower the other way round', () => {
    const free = parse({})
    const paid = parse({ licensing: { type: 'commercial', keys: ['k'] } })
    const { change, added } = diffManifests(free, paid)
    deepEqual([change, added.map(({ kind, detail }) => `${kind} ${detail}`)], ['wider', ['licensing commercial']])
    deepEqual([diffManifests(paid, free).change, diffManifests(paid, paid).change], ['narrower', 'none'])
  })

  it('is narrower when rights go', () => {
    const { change, removed } = diffManifests(before, parse({ limits: { cpuMs: 500 } }))
    equal(change, 'narrower')
    deepEqual(
      removed.map(({ kind, detail }) => `${kind} ${detail}`),
      ['capability http', 'host GET api.example.com:443'],
    )
  })

  it('is wider when one host takes the place of another, and has a hash of its own', () => {
    const one = diffManifests(before, parse({ ...host('one.example.com'), limits: { cpuMs: 500 } }))
    const two = diffManifests(before, parse({ ...host('two.example.com'), limits: { cpuMs: 500 } }))
    deepEqual([one.change, two.change], ['wider', 'wider'])
    ok(one.diffHash !== two.diffHash)
    equal(one.diffHash, diffManifests(before, parse({ ...host('one.example.com'), limits: { cpuMs: 500 } })).diffHash)
  })
})

describe('the consent to a manifest', () => {
  it('names each capability with its reason and what it covers', () => {
    const items = consentItems(parseManifest(guestbook)).map(({ capability, optional, reason, detail }) => [
      capability,
      optional,
      reason,
      detail,
    ])
    deepEqual(items[2], [
      'db:own_tables',
      false,
      'Keeps the entries and counts them.',
      { tables: ['entries', 'counters'], rowsHint: 10_000 },
    ])
    deepEqual(
      items.map(([capability]) => capability),
      ['http', 'storage', 'db:own_tables', 'events', 'config', 'ui', 'routes', 'limits'],
    )
  })

  it('changes its hash with what a capability covers', () => {
    const hashOf = (name: string) => consentItems(parse(host(name)))[0]?.detailHash
    equal(hashOf('api.example.com'), hashOf('api.example.com'))
    ok(hashOf('api.example.com') !== hashOf('api.example.org'))
  })

  it('says of each tool whether it writes', () => {
    const tool = { name: 'look_up', description: { default: 'Looks up' }, input: { type: 'object' }, handler: 'lookUp' }
    const itemOf = (more: object) =>
      consentItems(
        parse({
          ...{ capabilities: ['ai:tool'], reasons: { 'ai:tool': 'Helps.' } },
          provides: { aiTools: [{ ...tool, ...more }] },
        }),
      )[0]
    deepEqual(itemOf({})?.detail, { tools: [{ name: 'look_up', effect: 'read' }] })
    deepEqual(itemOf({ effect: 'write' })?.detail, { tools: [{ name: 'look_up', effect: 'write' }] })
    ok(itemOf({})?.detailHash !== itemOf({ effect: 'write' })?.detailHash)
  })

  it('says of each guardrail what it reads, and names the routers', () => {
    const itemOf = (capability: string, provides: object) =>
      consentItems(parse({ capabilities: [capability], reasons: { [capability]: 'Helps.' }, provides }))[0]?.detail
    const title = { default: 'A' }
    const handlers = { output: 'a', input: 'b' }
    deepEqual(itemOf('ai:guardrail', { aiGuardrails: [{ code: 'cards', title, handlers }] }), {
      guardrails: [{ code: 'cards', phases: ['input', 'output'] }],
    })
    deepEqual(itemOf('ai:router', { aiRouters: [{ code: 'near', title, handler: 'a' }] }), { routers: ['near'] })
  })
})
