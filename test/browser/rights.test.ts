import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { pagesOf, type PageOf } from './support/pages.ts'
import { admin, demoOwner, useActs, type Credentials } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

const password = 'a long enough passphrase'
const roles = {
  platform: ['super_admin', 'platform_admin', 'platform_operator', 'platform_auditor'],
  tenant: ['tenant_owner', 'tenant_admin', 'org_admin', 'tenant_user', 'tenant_guest'],
} as const

/** What a role is shown on one page: the permission that it lacks, or those of the actions that are drawn. */
type Shown = { readonly lacks: string } | { readonly drawn: readonly string[] }

describe('what a role is shown', function () {
  this.timeout(180_000)
  const acts = useActs()

  for (const scope of ['platform', 'tenant'] as const) {
    it(`21: menu, pages and actions of each role (${scope}) are what the interface allows it`, async () => {
      const pages = await pagesOf(acts.stage, scope)
      const routeOf = await firstRoutes()
      const all = new Map<string, readonly string[]>()
      const wrong: string[] = []
      for (const role of roles[scope]) {
        const { page, api } = await enter(scope, role)
        const allows = remember(async (permission: string) => {
          const route = routeOf.get(permission)
          // The right to enter an area is asked by no route.
          if (!route) return held.has(permission) || held.has('*:*')
          return (await api.call(route.method, route.path, { body: {} })).status !== 403
        })
        const me = dataOf(await api.get(scope === 'tenant' ? '/auth/me' : '/admin/auth/me'))
        const held = new Set(me['permissions'] as unknown as readonly string[])
        const menu = await menuOf(page)
        for (const each of pages) {
          const shown = await show(page, each)
          const isOpen = 'drawn' in shown
          if (isOpen !== (each.permission === undefined || (await allows(each.permission))))
            wrong.push(`${role} ${each.path}`)
          if (!isOpen && menu.has(each.path)) wrong.push(`${role} menu ${each.path}`)
          if (!isOpen) continue
          // The first role may do everything: what it sees is all there is.
          const every = all.get(each.path) ?? shown.drawn
          all.set(each.path, every)
          for (const permission of every) {
            const isDrawn = shown.drawn.includes(permission)
            if (isDrawn !== (await allows(permission)))
              wrong.push(`${role} ${each.path} ${permission} drawn: ${isDrawn}`)
          }
        }
        await page.context().close()
      }
      assert.deepEqual(wrong, [])
      assert.ok([...all.values()].flat().length >= (scope === 'platform' ? 8 : 3), JSON.stringify([...all]))
    })
  }

  it('22: a right that is lost while its page is open takes the action away, and then the page', async () => {
    const { host } = acts.stage
    const by = host.api.as(dataOf(await host.api.post('/auth/login/json', demoOwner(acts.stage)))['access_token'])
    const all = ['console_tenant:enter', 'tenant_user:list', 'tenant_user:create']
    const role = dataOf(await by.post('/tenant/roles', { code: 'loser', name: 'Loser', permissions: all }), 201)
    const who = { account: 'loser@demo.test', password, tenant_code: 'demo' }
    dataOf(await by.post('/tenant/users', { email: who.account, password, roles: ['loser'] }), 201)
    const page = await acts.tab(await acts.signedIn(who), '/tenant/users')
    const create = page.getByRole('button', { name: 'New user' })
    await create.waitFor()
    const lose = async (permissions: readonly string[]) =>
      dataOf(await by.put(`/tenant/roles/${Number(role['id'])}`, { permissions, data_scope: 'ALL' }))
    await lose(all.slice(0, 2))
    await create.waitFor({ state: 'detached' })
    await lose(all.slice(0, 1))
    await page.getByText('It needs the permission tenant_user:list.').waitFor()
  })

  /** Somebody with this role and no other, signed in in a browser and beside it. */
  async function enter(scope: 'platform' | 'tenant', role: string): Promise<{ page: Page; api: Api }> {
    const { host, firstRun, staff } = acts.stage
    const account = `${role}@roles.test`
    let who: Credentials = { account, password, ...(scope === 'tenant' && { tenant_code: firstRun.demo.tenant_code }) }
    if (role === 'super_admin') who = { account: admin.email, password: admin.password }
    else if (role === 'tenant_owner') who = demoOwner(acts.stage)
    else {
      const by = scope === 'tenant' ? await signIn(demoOwner(acts.stage)) : await staff()
      const path = scope === 'tenant' ? '/tenant/users' : '/admin/users'
      dataOf(await by.post(path, { email: account, password, roles: [role] }), 201)
    }
    const page = await acts.tab(await acts.signedIn(who), '/profile')
    await accountOf(page)
    return { page, api: await signIn(who) }

    async function signIn(body: Credentials): Promise<Api> {
      const path = body.tenant_code === undefined ? '/admin/auth/login/json' : '/auth/login/json'
      return host.api.as(dataOf(await host.api.post(path, body))['access_token'])
    }
  }

  /** A route for each permission, with ids of nothing: whether it is allowed is asked before whether it is there. */
  async function firstRoutes() {
    const { paths } = (await acts.stage.host.api.get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { 'x-permission'?: string }>>
    }
    const found = new Map<string, { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string }>()
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { 'x-permission': permission }] of Object.entries(methods)) {
        if (permission === undefined || (found.has(permission) && method !== 'get')) continue
        const upper = method.toUpperCase() as 'GET'
        found.set(permission, { method: upper, path: path.replace(/\{[^}]+\}/g, '999999') })
      }
    }
    return found
  }

  async function menuOf(page: Page): Promise<ReadonlySet<string>> {
    const links = await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').all()
    const paths = links.map(async (link) => (await link.getAttribute('href'))?.replace('/console', '') ?? '')
    return new Set(await Promise.all(paths))
  }

  /** Leads a tab that is there to a page, as the address does when somebody goes back. */
  async function show(page: Page, { path }: PageOf): Promise<Shown> {
    await page.evaluate(
      `history.pushState({}, '', '/console${path}'), window.dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await page.waitForURL((url) => url.pathname.startsWith(`/console${path}`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
    const text = await page.getByRole('main').innerText()
    const lacks = /It needs the permission (\S+)\./.exec(text)?.[1]
    if (lacks !== undefined) return { lacks }
    const drawn = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main [data-permission]')].map((one) => one.dataset.permission)",
    )
    return { drawn: [...new Set(drawn)] }
  }

  function remember(ask: (permission: string) => Promise<boolean>) {
    const known = new Map<string, Promise<boolean>>()
    return (permission: string) => {
      const answer = known.get(permission) ?? ask(permission)
      known.set(permission, answer)
      return answer
    }
  }
})
