import assert from 'node:assert/strict'
import type { AppError } from '#kernel'
import { Deliverer } from '../../../core-plugins/plugin-events/deliverer.ts'

/** What a deliverer works with. */
type Parts = ConstructorParameters<typeof Deliverer>[0]
type Job = Parameters<Deliverer['kind']['run']>[0]

const event = { id: '1', type: 'acme.crm.said', tenantId: 7, attempts: 1, occurredAt: new Date() }
const refused = { open: false, error: { status: 404, reason: 'plugin_not_found' } as AppError }

describe('an event on its way to a plugin', () => {
  /** What the queue was told of the event, and for whom the plugin heard it. */
  async function bring(given: {
    readonly tenant?: object
    readonly gate?: object
    readonly denied?: readonly string[]
  }) {
    const heard: unknown[] = []
    const told: unknown[] = []
    const tell = (what: string, answer?: unknown) => (_: unknown, more: unknown) => {
      told.push([what, more])
      return Promise.resolve(answer)
    }
    const deliverer = new Deliverer({
      db: undefined,
      queue: {
        first: () => Promise.resolve({ event }),
        doneAndNext: tell('done', 'none'),
        postponed: tell('postponed'),
        failed: tell('failed', 0),
      },
      jobs: {},
      runtime: {
        loaded: () => [{ id: 1, release: { name: 'acme.crm' }, grants: {} }],
        gate: () => given.gate ?? { open: true },
        deniedFor: () => new Set(given.denied),
        deliver(_release: unknown, _grants: unknown, { tenant }: { readonly tenant: unknown }) {
          heard.push(tenant)
          return Promise.resolve({ delivered: true })
        },
      },
      tenants: { byId: () => Promise.resolve(given.tenant) },
    } as unknown as Parts)
    const job = { payload: { pluginId: 1 }, tenantId: 7, signal: new AbortController().signal }
    await deliverer.kind.run(job as unknown as Job)
    return { heard, told: told.map((each) => (each as [string])[0]) }
  }
  const acme = { id: 7, code: 'acme', name: 'Acme', status: 'active' }

  it('is heard for its tenant, of which the plugin learns the id and the code', async () => {
    assert.deepEqual(await bring({ tenant: acme }), { heard: [{ id: 7, code: 'acme' }], told: ['done'] })
  })

  it('waits while its tenant is closed, and goes with a tenant that is gone: never is it the platform’s', async () => {
    assert.deepEqual(await bring({ tenant: { ...acme, status: 'suspended' } }), { heard: [], told: ['postponed'] })
    assert.deepEqual(await bring({}), { heard: [], told: ['done'] })
  })

  it('is not for a plugin that does not run for the tenant, nor for one that it refused events', async () => {
    assert.deepEqual(await bring({ tenant: acme, gate: refused }), { heard: [], told: ['failed'] })
    assert.deepEqual(await bring({ tenant: acme, denied: ['events'] }), { heard: [], told: ['failed'] })
  })
})
