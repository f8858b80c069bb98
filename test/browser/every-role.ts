import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { askAllowed, flat, menuOf } from './support/allowed.ts'
import { pagesOf, type PageOf } from './support/pages.ts'
import { admin, demoOwner, useActs, type Credentials } from './support/stage.ts'

const password = 'a long enough passphrase'
/** The first of each holds every right of its side. */
const roles = {
  platform: ['super_admin', 'platform_admin', 'platform_operator', 'platform_auditor'],
  tenant: ['tenant_owner', 'tenant_admin', 'org_admin', 'tenant_user', 'tenant_guest'],
} as const
type Scope = keyof typeof roles
/** Which rows there are is not the same for everybody. */
const besideRows = ':not(:is(tr, li) *)'

describe('what each role of the system meets', function () {
  // Every page there is, one after the other.
  this.timeout(390_000)
  const acts = useActs()
  let callers = 0
  /** By page, the rights of the actions that are drawn for who may do everything. */
  const whole = new Map<PageOf, readonly string[]>()
  const pagesBy = new Map<Scope, Promise<readonly PageOf[]>>()

  // All of them first: nobody meets the own account where others meet somebody's.
  before(async () => {
    const staff = await acts.stage.staff()
    const owner = await callsOf(demoOwner(acts.stage))
    const people: number[] = []
    for (const scope of ['platform', 'tenant'] as const)
      for (const role of roles[scope].slice(1)) {
        const user = { email: credentialsOf(scope, role).account, password, roles: [role] }
        if (scope === 'platform') dataOf(await staff.post('/admin/users', user), 201)
        else people.push(Number(dataOf(await owner.post('/tenant/users', user), 201)['id']))
      }
    // Who manages a node meets the people of it.
    const node = dataOf(await owner.post('/tenant/orgs', { name: 'Everybody', parent_id: null }), 201)
    dataOf(await owner.put(`/tenant/orgs/${Number(node['id'])}/members`, { user_ids: people }))
  })

  for (const scope of ['platform', 'tenant'] as const)
    for (const role of roles[scope])
      it(`21: menu, pages and actions of ${role} are exactly what the API allows`, async () => {
        const who = credentialsOf(scope, role)
        const by = await callsOf(who)
        const isAllowed = await askAllowed(by, scope)
        if (!pagesBy.has(scope)) pagesBy.set(scope, pagesOf(acts.stage, scope))
        const pages = ((await pagesBy.get(scope)) ?? []).filter(({ permission }) => permission !== undefined)
        const allowed = new Set<string>()
        const asked = [
          ...pages.map(({ permission }) => permission ?? ''),
          ...pages.flatMap((each) => whole.get(each) ?? []),
        ]
        for (const each of new Set(asked)) if (await isAllowed(each)) allowed.add(each)
        const isFirst = role === roles[scope][0]
        assert.equal(allowed.size === new Set(asked).size, isFirst || role === 'tenant_admin')

        const page = await acts.tab(await acts.signedIn(who), '/')
        await isMenuOf(page, by, pages, allowed)
        const refused: string[] = []
        page.on('response', (answer) => answer.status() === 403 && refused.push(new URL(answer.url()).pathname))
        for (const each of pages) {
          const { path, permission = '' } = each
          await page.goto(acts.at(path))
          await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
          if (!allowed.has(permission)) {
            await page.getByText(`It needs the permission ${permission}.`).waitFor()
            continue
          }
          await page.getByText('Loading').first().waitFor({ state: 'detached' })
          if (isFirst) {
            await page.waitForLoadState('networkidle')
            whole.set(each, await actionsOn(page, besideRows))
          }
          for (const one of await actionsOn(page)) assert.equal(await isAllowed(one), true, `${path} ${one}`)
          if (isFirst) continue
          const expected = (whole.get(each) ?? []).filter((one) => allowed.has(one))
          let drawn: readonly string[] = []
          const isDrawn = async () => (drawn = await actionsOn(page, besideRows)).join() === expected.join()
          await until(isDrawn).catch(() => assert.deepEqual([path, ...drawn], [path, ...expected]))
        }
        // A tab asks for preferences together with the rights, so that it cannot know whether it may.
        assert.deepEqual(
          refused.filter((path) => path !== '/preferences'),
          [],
        )
      })

  /** What is drawn leads to what is allowed, and all of that is drawn. */
  async function isMenuOf(page: Page, by: Api, pages: readonly PageOf[], allowed: ReadonlySet<string>) {
    const links = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link')
    await links.first().waitFor()
    const drawn = await links.evaluateAll((all: { pathname: string }[]) => all.map(({ pathname }) => pathname))
    const led = new Set(drawn.map((path) => path.replace('/console', '')))
    const entries = flat(await menuOf(by))
    assert.deepEqual(
      [...led].filter((path) => !entries.some((entry) => entry.path === path)),
      [],
    )
    const listed = pages.filter(({ route, isUnlisted }) => !isUnlisted && !/\/:\w+(\/|$)/.test(route))
    assert.deepEqual(
      listed.map(({ path }) => path).filter((path) => led.has(path)),
      listed.filter(({ permission = '' }) => allowed.has(permission)).map(({ path }) => path),
    )
  }
  /** The rights of the actions on a page. */
  async function actionsOn(page: Page, which = ''): Promise<readonly string[]> {
    const all = page.locator(`main [data-permission]${which}`)
    const found = await all.evaluateAll((drawn: { getAttribute(name: string): string | null }[]) =>
      drawn.map((each) => each.getAttribute('data-permission') ?? ''),
    )
    return [...new Set(found)].toSorted()
  }
  function credentialsOf(scope: Scope, role: string): Credentials {
    if (role === 'super_admin') return { account: admin.email, password: admin.password }
    if (role === 'tenant_owner') return demoOwner(acts.stage)
    const account = `${role.replace('_', '-')}@roles.test`
    return { account, password, ...(scope === 'tenant' && { tenant_code: 'demo' }) }
  }
  async function callsOf(who: Credentials): Promise<Api> {
    await acts.stage.staff()
    const { api } = acts.stage.host
    const path = who.tenant_code === undefined ? '/admin/auth/login/json' : '/auth/login/json'
    // From an address of its own: sign-ins of one address are counted together.
    const headers = { 'x-forwarded-for': `203.0.113.${(callers += 1)}` }
    return api.as(dataOf(await api.post(path, who, { headers }))['access_token'])
  }
})
