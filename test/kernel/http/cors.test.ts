import assert from 'node:assert/strict'
import { definePlugin, defineRoute, originPolicy } from '#kernel'
import { startTestKernel } from '../../support/kernel.ts'
import { described, probeRoutes } from '../../support/probe.ts'

const notes = probeRoutes(defineRoute({ method: 'put', path: '/notes', summary: 'x', auth: 'none', handler: () => 1 }))
const policy = definePlugin({
  ...described('policy'),
  setup: (scope) => scope.provide(originPolicy, { allowed: (origin) => origin === 'https://acme.test' }),
})
const names = [
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'vary',
  'allow',
]

describe('pages of other origins', () => {
  const preflight = (origin: string) => ({
    headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' },
  })

  it('read nothing while nobody has a list of them', async () => {
    await using host = await startTestKernel({ plugins: [notes] })
    const answer = await host.request('OPTIONS', '/notes', preflight('https://acme.test'))
    assert.deepEqual(
      [answer.status, names.map((name) => answer.headers[name] ?? null)],
      [204, [null, null, null, null, 'OPTIONS, PUT']],
    )
  })

  it('are answered without leave while the list cannot be read', async () => {
    const broken = definePlugin({
      ...described('broken'),
      setup: (scope) => scope.provide(originPolicy, { allowed: () => Promise.reject(new Error('no database')) }),
    })
    await using host = await startTestKernel({ plugins: [notes, broken] })
    const { status, headers } = await host.request('PUT', '/notes', { headers: { origin: 'https://acme.test' } })
    assert.deepEqual([status, headers['access-control-allow-origin'] ?? null], [200, null])
  })

  it('read what the list allows, without cookies', async () => {
    await using host = await startTestKernel({ plugins: [notes, policy] })
    const allowed = await host.request('OPTIONS', '/notes', preflight('https://acme.test'))
    const refused = await host.request('OPTIONS', '/notes', preflight('https://evil.test'))
    const used = await host.request('PUT', '/notes', { headers: { origin: 'https://acme.test' } })
    const failed = await host.request('PUT', '/nowhere', { headers: { origin: 'https://acme.test' } })
    assert.deepEqual(
      [allowed, refused, used, failed].map(({ headers }) => names.map((name) => headers[name] ?? null)),
      [
        ['https://acme.test', 'OPTIONS, PUT', 'authorization', 'Origin', 'OPTIONS, PUT'],
        [null, null, null, 'Origin', 'OPTIONS, PUT'],
        ['https://acme.test', null, null, 'Origin', null],
        ['https://acme.test', null, null, 'Origin', null],
      ],
    )
    assert.equal(allowed.headers['access-control-allow-credentials'], undefined)
  })
})
