import assert from 'node:assert/strict'
import type { Answer, Api } from '../../support/api.ts'
import { codeOf } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf, refusalOf } from '../../support/platform.ts'
import { createMember, createOrg, createRole } from '../access/support.ts'

const permissions = ['tenant_user:list', 'tenant_user:detail', 'tenant_user:update']
const everybody = ['top', 'sales', 'team', 'law', 'both', 'loose']

// Who sits at `sales` with these roles sees whom of everybody.
const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['the whole tenant', ['all'], everybody],
  ['the own node and what is below', ['below'], ['sales', 'team', 'both']],
  ['the own node', ['only'], ['sales']],
  ['a node that is named', ['named'], ['law', 'both']],
  ['a node that is named, and what is below', ['deep'], ['top', 'sales', 'team', 'law', 'both']],
  ['nobody else', ['self'], []],
  ['what the exception for users says', ['except'], ['sales']],
  ['more by an exception than by the rule', ['beyond'], everybody],
  ['what one or the other role says', ['only', 'named'], ['sales', 'law', 'both']],
  ['the widest of all', ['self', 'all'], everybody],
]

describe('who sees and changes whom', () => {
  let platform: TestPlatform
  let acme: TestTenant
  const ids: Record<string, number> = {}
  const nodes: Record<string, number> = {}
  before(async () => {
    platform = await startTestPlatform()
    acme = await platform.createTenant('acme')
    const { owner } = acme
    const top = (nodes['top'] = await createOrg(owner, 'Top'))
    const sales = (nodes['sales'] = await createOrg(owner, 'Sales', top))
    const team = (nodes['team'] = await createOrg(owner, 'Team', sales))
    const law = (nodes['law'] = await createOrg(owner, 'Law', top))
    const places: Readonly<Record<string, readonly number[]>> = {
      ...{ top: [top], sales: [sales], team: [team], law: [law], both: [team, law], loose: [] },
    }
    for (const [name, place] of Object.entries(places)) {
      // Without roles nobody is above the caller: what is left to decide is the scope.
      ids[name] = await person(`${name}@people.test`, place)
    }
    const custom = (org: number, with_children: boolean) => {
      return { data_scope: 'CUSTOM', data_scope_orgs: { org_ids: [org], with_children } }
    }
    const scopes = {
      all: { data_scope: 'ALL' },
      below: { data_scope: 'ORG_AND_CHILDREN' },
      only: { data_scope: 'ORG_ONLY' },
      named: custom(law, false),
      deep: custom(top, true),
      self: { data_scope: 'SELF' },
      except: { data_scope: 'ALL', data_scopes: { tenant_user: { scope: 'ORG_ONLY' } } },
      beyond: { data_scope: 'SELF', data_scopes: { tenant_user: { scope: 'ALL' } } },
    }
    for (const [code, scope] of Object.entries(scopes)) await createRole(owner, code, permissions, scope)
  })
  after(() => platform[Symbol.asyncDispose]())

  async function person(email: string, org_ids: readonly number[]): Promise<number> {
    return Number(dataOf(await acme.owner.post('/tenant/users', { email, roles: [], org_ids }), 201)['id'])
  }
  async function seen(by: Api): Promise<readonly string[]> {
    const { items } = dataOf(await by.get('/tenant/users?page_size=100&q=people.test')) as unknown as {
      items: { email: string }[]
    }
    const emails = items.map(({ email }) => email.split('@')[0])
    return everybody.filter((name) => emails.includes(name))
  }
  const namesWhere = async (ask: (id: number) => Promise<Answer>, status: number): Promise<readonly string[]> => {
    const found: string[] = []
    for (const name of everybody) {
      const answer = await ask(ids[name] ?? 0)
      if (answer.status === status) found.push(name)
      else assert.deepEqual(codeOf(answer), [404, 4040], name)
    }
    return found
  }

  for (const [index, [what, roles, whom]] of table.entries()) {
    it(`${roles.join(' and ')}: ${what}, by list, detail and change alike`, async () => {
      const viewer = await createMember(platform, acme, `viewer${index}`, roles, [nodes['sales'] ?? 0])
      const shown = [
        await seen(viewer.api),
        await namesWhere((id) => viewer.api.get(`/tenant/users/${id}`), 200),
        await namesWhere((id) => viewer.api.put(`/tenant/users/${id}`, { nickname: `By ${index}` }), 200),
      ]
      assert.deepEqual(shown, [whom, whom, whom])
      assert.equal(dataOf(await viewer.api.get(`/tenant/users/${viewer.id}`))['id'], viewer.id)
    })
  }

  it('each permission has the scope of the roles that grant it: seen and not to be changed is 403', async () => {
    const { owner } = acme
    await createRole(owner, 'auditor', ['tenant_user:list', 'tenant_user:detail'], { data_scope: 'ALL' })
    await createRole(owner, 'editor', ['tenant_user:update'], { data_scope: 'ORG_ONLY' })
    const { api } = await createMember(platform, acme, 'mixed', ['auditor', 'editor'], [nodes['law'] ?? 0])
    const change = (name: string) => api.put(`/tenant/users/${ids[name]}`, { nickname: 'Mixed' })
    assert.deepEqual(await seen(api), everybody)
    assert.deepEqual([codeOf(await change('law')), codeOf(await change('both'))], Array(2).fill([200, 0]))
    assert.deepEqual(refusalOf(await change('team')), { status: 403, code: 4031, reason: 'data_scope' })
  })

  it('what is out of reach is not there in counts, filters and searches either', async () => {
    const { api } = await createMember(platform, acme, 'counter', ['only'], [nodes['sales'] ?? 0])
    const total = async (query: string) => dataOf(await api.get(`/tenant/users?${query}`))['total']
    assert.deepEqual(
      [await total('q=people.test'), await total('q=law'), await total(`org_id=${nodes['law']}&q=people.test`)],
      [1, 0, 0],
    )
  })
})
