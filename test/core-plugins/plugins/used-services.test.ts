import assert from 'node:assert/strict'
import type { Api } from '../../support/api.ts'
import { createTenant, dataOf, startPlatform, type Platform } from '../../support/platform.ts'
import { installAndEnable, packSmall, upload } from '../../support/small-plugin.ts'
import { upgrade } from './upgrades-world.ts'

const crm = '/admin/plugins/acme.crm'

/** Provides contacts in a version of their own. */
function packCrm(version: string, more: readonly string[] = []): Promise<Buffer> {
  const capabilities = ['services:provide', ...more]
  const methods = [{ name: 'find', handler: 'find', input: { type: 'object' } }]
  return packSmall(
    'acme.crm',
    {
      ...{ version, capabilities, reasons: Object.fromEntries(capabilities.map((name) => [name, 'For a test.'])) },
      provides: { services: [{ name: 'contacts', version, methods }] },
    },
    '{ services: { find: () => ({}) } }',
  )
}

function packShop(name: string, uses: Readonly<Record<string, string>>): Promise<Buffer> {
  return packSmall(name, { capabilities: ['services:use'], reasons: { 'services:use': 'For a test.' }, uses })
}

describe('the services that a plugin uses', () => {
  let platform: Platform
  let admin: Api
  let owner: Api
  let tenant: { readonly id: number }

  before(async () => {
    platform = await startPlatform()
    admin = platform.admin
    const made = await createTenant(admin, 'one')
    ;[tenant, owner] = [made, made.owner]
    const wanted = { 'acme.crm/contacts': '>=1.0.0 <3.0.0', 'acme.crm/orders': '^1.0.0' }
    await installAndEnable(admin, await packShop('acme.shop', wanted))
    await installAndEnable(admin, await packShop('acme.newer', { 'acme.crm/contacts': '^2.0.0' }))
    dataOf(await admin.post('/admin/plugins/acme.shop/tenants', { tenant_ids: [tenant.id] }))
    dataOf(await owner.post('/tenant/plugins/acme.shop/enable'))
  })
  after(() => platform[Symbol.asyncDispose]())

  type Used = { readonly service: string; readonly version: string | null; readonly state: string }
  const usesAt = async (by: Api, path: string): Promise<readonly string[]> => {
    const uses = dataOf(await by.get(path))['uses'] as unknown as readonly Used[]
    return uses.map(({ service, version, state }) => `${service} ${version ?? '-'} ${state}`)
  }
  const toAdmin = (name: string) => usesAt(admin, `/admin/plugins/${name}`)
  const toTenant = () => usesAt(owner, '/tenant/plugins/acme.shop')

  it('are told to be missing while their plugin is not installed, which stops nobody', async () => {
    assert.deepEqual(await toAdmin('acme.newer'), ['acme.crm/contacts - not_installed'])
    assert.deepEqual(await toTenant(), ['acme.crm/contacts - not_available', 'acme.crm/orders - not_available'])
  })

  it('are told to be missing while their plugin does not run, is of another version or does not provide them', async () => {
    const { consent } = dataOf(await upload(admin, await packCrm('1.2.0')), 201)
    const { release_hash, diff_hash } = consent as unknown as Record<string, string>
    dataOf(await admin.post(`${crm}/consent`, { accept: true, release_hash, diff_hash }))
    assert.deepEqual(await toAdmin('acme.shop'), [
      'acme.crm/contacts 1.2.0 not_running',
      'acme.crm/orders - not_provided',
    ])
    dataOf(await admin.post(`${crm}/enable`))
    assert.deepEqual(await toAdmin('acme.shop'), ['acme.crm/contacts 1.2.0 met', 'acme.crm/orders - not_provided'])
    assert.deepEqual(await toAdmin('acme.newer'), ['acme.crm/contacts 1.2.0 version'])
  })

  it('are told to a tenant as it has them, which learns nothing of plugins that are not its own', async () => {
    assert.deepEqual(await toTenant(), ['acme.crm/contacts - not_available', 'acme.crm/orders - not_available'])
    dataOf(await admin.post(`${crm}/tenants`, { tenant_ids: [tenant.id] }))
    assert.equal((await toTenant())[0], 'acme.crm/contacts 1.2.0 not_running')
    dataOf(await owner.post('/tenant/plugins/acme.crm/enable'))
    assert.deepEqual(await toTenant(), ['acme.crm/contacts 1.2.0 met', 'acme.crm/orders - not_provided'])
  })

  it('are told to have users before their plugin is switched off or goes', async () => {
    assert.deepEqual(dataOf(await admin.get(crm))['used_by'], ['acme.newer', 'acme.shop'])
    const updates = dataOf(await admin.get('/plugins/updates'))['items'] as unknown as Record<string, unknown>[]
    const usedBy = Object.fromEntries(updates.map((update) => [String(update['name']), update['used_by']] as const))
    assert.deepEqual(usedBy, { 'acme.crm': ['acme.newer', 'acme.shop'], 'acme.newer': [], 'acme.shop': [] })
    const plan = dataOf(await admin.delete(`${crm}?dry_run=true`)) as unknown as {
      readonly is_blocked: boolean
      readonly steps: readonly { readonly step: string; readonly affects: Record<string, unknown> }[]
    }
    const registrations = plan.steps.find(({ step }) => step === 'registrations')
    assert.deepEqual(
      [plan.is_blocked, registrations?.affects['services_used_by']],
      [false, ['acme.newer', 'acme.shop']],
    )
  })

  it('are told which of their users an upgrade that waits would leave without them', async () => {
    await installAndEnable(admin, await packShop('acme.old', { 'acme.crm/contacts': '^1.1.0' }))
    await installAndEnable(admin, await packShop('acme.any', { 'acme.crm/contacts': '>=1.0.0' }))
    await upgrade(admin, 'acme.crm', await packCrm('2.0.0', ['storage']))
    const { pending } = dataOf(await admin.get(crm)) as unknown as { readonly pending: Record<string, unknown> }
    assert.deepEqual([pending['version'], pending['leaves_without']], ['2.0.0', ['acme.old']])
  })

  it('are told by a dry run of an upgrade that nobody is asked about, which does nothing', async () => {
    const before = dataOf(await admin.get(crm))
    const plan = dataOf(await upgrade(admin, 'acme.crm', await packCrm('2.1.0'), '?dry_run=true'))
    assert.deepEqual(plan, {
      ...{ plugin: 'acme.crm', from: '1.2.0', to: '2.1.0', consent: null },
      leaves_without: ['acme.old'],
    })
    const wider = dataOf(await upgrade(admin, 'acme.crm', await packCrm('1.3.0', ['storage']), '?dry_run=true'))
    assert.deepEqual([wider['leaves_without'], typeof wider['consent']], [[], 'object'])
    assert.notEqual(wider['consent'], null)
    const operations = async () => dataOf(await admin.get(`${crm}/operations`))['total']
    const ended = await operations()
    const older = await upgrade(admin, 'acme.crm', await packCrm('1.1.0'), '?dry_run=true')
    assert.equal(older.status, 409)
    assert.equal(await operations(), ended)
    assert.deepEqual(dataOf(await admin.get(crm)), before)
  })

  it('are told of a stop, and who has lost one afterwards, by the answer to an upgrade, a rollback and a stop', async () => {
    type Told = Readonly<Record<'left_without' | 'leaves_without', readonly string[]>>
    type Detail = Told & { readonly previous: Told | null; readonly version: string }
    const told = (body: unknown): unknown => {
      const { left_without: left, leaves_without: leaves, previous, version } = body as Detail
      return { version, left, leaves, previous: previous?.leaves_without }
    }
    const [all, now] = [
      ['acme.any', 'acme.newer', 'acme.old', 'acme.shop'],
      ['acme.any', 'acme.old', 'acme.shop'],
    ]
    const unmet = ['acme.newer', 'acme.shop']
    assert.deepEqual(told(dataOf(await admin.get(crm))), {
      version: '1.2.0',
      left: unmet,
      leaves: now,
      previous: undefined,
    })
    const removal = dataOf(await admin.delete(`${crm}?dry_run=true`))
    assert.deepEqual(removal['leaves_without'], now)
    assert.deepEqual(told(dataOf(await upgrade(admin, 'acme.crm', await packCrm('2.1.0')))), {
      ...{ version: '2.1.0', left: ['acme.old', 'acme.shop'], leaves: ['acme.any', 'acme.newer', 'acme.shop'] },
      previous: ['acme.newer'],
    })
    const back = dataOf(await admin.post(`${crm}/rollback`, {}))
    assert.deepEqual(told(back), { version: '1.2.0', left: unmet, leaves: now, previous: ['acme.old'] })
    const stopped = dataOf(await admin.post(`${crm}/disable`))
    assert.deepEqual(told(stopped), { version: '1.2.0', left: all, leaves: [], previous: ['acme.old'] })
  })
})
