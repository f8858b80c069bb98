import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { overflowOf } from './support/on-a-phone.ts'
import { admin, demoOwner, useActs } from './support/stage.ts'

interface Role {
  readonly id: number
  readonly code: string
  readonly permissions: readonly string[]
  readonly data_scope: string
}
interface Node {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
}

describe('roles, organisation and audit', function () {
  this.timeout(180_000)
  const acts = useActs()

  const owner = () => acts.stage.owner()
  async function itemsOf<T>(by: Api, path: string): Promise<readonly T[]> {
    return dataOf(await by.get(path))['items'] as unknown as readonly T[]
  }

  it('30, 48: a role gives exactly what is ticked, and the audit log tells who gave it', async () => {
    const by = await owner()
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/roles')
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name').fill('Greeter')
    await page.getByLabel('Code').fill('greeter')
    await page.getByRole('button', { name: 'Create the role' }).click()
    await page.getByRole('heading', { name: 'Greeter', level: 1 }).waitFor()
    const find = page.getByRole('searchbox', { name: 'Find a permission' })
    await find.fill('tenant_user:list')
    await page.getByRole('checkbox', { name: /^List/ }).check()
    await find.fill('tenant_domain')
    await page.getByRole('checkbox', { name: 'Everything, and what comes later' }).check()
    await page.getByLabel('Sees', { exact: true }).selectOption('ORG_ONLY')
    await page.getByText('2 added, 0 taken').waitFor()
    // The owner has no node, and somebody of none sees nobody else.
    await page.getByText('Nobody holds it yet').waitFor()
    await page.getByText(/^One of its holders sees 1 of the \d+ people whom you see\.$/).waitFor()
    await page.getByLabel('Sees', { exact: true }).selectOption('ALL')
    await page.getByText(/^One of its holders sees (\d+) of the \1 people whom you see\.$/).waitFor()
    await page.getByLabel('Sees', { exact: true }).selectOption('ORG_ONLY')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The role Greeter is saved').waitFor()
    const role = (await itemsOf<Role>(by, '/tenant/roles?code=greeter'))[0] ?? assert.fail('no such role')
    assert.deepEqual(
      [role.permissions.toSorted(), role.data_scope],
      [['tenant_domain:*', 'tenant_user:list'], 'ORG_ONLY'],
    )
    await page.getByRole('link', { name: 'Menus' }).click()
    const opened = page.getByRole('region', { name: 'Menus' })
    await opened.getByText('Users').last().waitFor()
    assert.equal(await opened.getByText('Roles', { exact: true }).count(), 0)
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Details: Changed a role' }).click()
    const entry = page.getByRole('dialog')
    await entry.getByText('tenant_domain:*, tenant_user:list').first().waitFor()
    await entry.getByText('ORG_ONLY').first().waitFor()
  })

  it('30: what is ticked while a role is being saved stays ticked, and is saved next', async () => {
    const by = await owner()
    const wish = { code: 'hasty', name: 'Hasty', permissions: [], data_scope: 'ALL' }
    const place = `/tenant/roles/${Number(dataOf(await by.post('/tenant/roles', wish), 201)['id'])}`
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), place)
    const find = page.getByRole('searchbox', { name: 'Find a permission' })
    const tick = async (permission: string, name: RegExp) => {
      await find.fill(permission)
      await page.getByRole('checkbox', { name }).check()
    }
    await tick('tenant_user:list', /^List/)
    const sent = Promise.withResolvers<Route>()
    const isSaving = (url: URL) => url.pathname === place
    await page.route(isSaving, (route) => (route.request().method() === 'PUT' ? sent.resolve(route) : route.continue()))
    await page.getByRole('button', { name: 'Save' }).click()
    const route = await sent.promise
    await tick('tenant_domain', /^Everything, and what comes later/)
    await page.getByText('2 added, 0 taken').waitFor()
    await route.continue()
    await page.getByText('1 added, 0 taken').waitFor()
    await page.unroute(isSaving)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 added, 0 taken').waitFor()
    const [role] = await itemsOf<Role>(by, '/tenant/roles?code=hasty')
    assert.deepEqual(role?.permissions.toSorted(), ['tenant_domain:*', 'tenant_user:list'])
  })

  it('30: nodes of the organisation are moved by the keyboard, and a cycle is refused in words', async () => {
    const by = await owner()
    const add = async (name: string, parent: number | null) =>
      Number(dataOf(await by.post('/tenant/orgs', { name, parent_id: parent }), 201)['id'])
    const sales = await add('Sales', null)
    await add('North', sales)
    await add('Support', null)
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/orgs')
    const node = (name: string) => page.getByRole('treeitem', { name, exact: true })
    await node('Support').focus()
    await page.keyboard.press('Control+x')
    await page.getByText('Support is being moved').waitFor()
    await node('Sales').focus()
    await page.keyboard.press('Control+v')
    await page.getByText('Support was moved').waitFor()
    const moved = (await itemsOf<Node>(by, '/tenant/orgs?q=Support')).flatMap(function flat(each): readonly Node[] {
      return [each, ...((each as Node & { children?: readonly Node[] }).children ?? []).flatMap(flat)]
    })
    assert.equal(moved.find(({ name }) => name === 'Support')?.parent_id, sales)
    await node('Sales').focus()
    await page.keyboard.press('Control+x')
    await node('North').focus()
    await page.keyboard.press('Control+v')
    await page.getByRole('alert').waitFor()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /below|itself/i)
  })

  it('48: the log of the platform names who did what and never a secret', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/audit-logs?action=config.')
    const line = page.getByRole('row').filter({ hasText: 'config:platform_domain' }).first()
    await line.waitFor()
    assert.match((await line.textContent()) ?? '', /admin/)
    await line.getByRole('button', { name: /^Details/ }).click()
    await page.getByRole('dialog').getByText('What changed').waitFor()
  })

  it('48: the log is narrowed to who did it, what, and until when', async () => {
    const page = await acts.tab(await acts.signedIn(), '/admin/audit-logs')
    await page.getByRole('row').nth(1).waitFor()
    await page.locator('datalist option[value^="config."]').first().waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Who: Anybody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Who' })
    await dialog.getByRole('searchbox', { name: 'Search' }).fill(admin.email)
    await dialog.getByRole('radio', { name: new RegExp(admin.email) }).check()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Choose' }).click()
    await page.waitForURL((url) => url.searchParams.has('actor_id'))
    await page.getByRole('button', { name: 'Who: anybody again' }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    const asked = page.waitForResponse(/audit-logs\?.*to=200/)
    await page.getByLabel('Until').fill('2000-12-31')
    await page.getByLabel('Until').blur()
    const answer = (await (await asked).json()) as { data: { items: unknown[] } }
    assert.deepEqual(answer.data.items, [])
    await page.getByText('Nothing fits').waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })

  /** A log with many lines of old changes; the newest of them was made an hour ago. */
  async function fillLog(count: number): Promise<void> {
    await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
      const rows = `select 0, 'config.changed', 'config:old-' || n, 1, 'platform', 0, now() - interval '1 hour' - (${count} - n) * interval '1 minute'
        from generate_series(1, ${count}) n`
      await trx
        .raw(
          `insert into access_audit_log (tenant_id, action, target, actor_id, actor_scope, actor_tenant_id, created_at) ${rows}`,
        )
        .queryContext({ tenant: 'all' })
    })
  }

  describe('a long log', () => {
    const lines = 'main tbody tr:not([aria-hidden])'
    let page: Page
    let changes = 0

    before(() => fillLog(240))
    beforeEach(async () => {
      page = await acts.tab(await acts.signedIn(), '/admin/audit-logs?action=config.changed')
      const older = page.getByRole('button', { name: 'Older' })
      await older.waitFor()
      for (let isMore = true; isMore; isMore = (await older.count()) > 0) {
        const answer = page.waitForResponse(/audit-logs\?.*cursor=./)
        // By key: a pointer misses it where rows that are measured move it between down and up.
        await older.press('Enter')
        await answer
        // One question: between two of them the button may go.
        await until(async () => (await older.and(page.locator('[aria-busy]')).count()) === 0)
      }
      await until(async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) > 0)
    })

    const drawn = () => page.locator(lines).count()
    const topOf = async (text: string) =>
      (await page.getByRole('row').filter({ hasText: text }).boundingBox())?.y ?? NaN
    const first = () => page.locator(lines).first().textContent()
    async function change(): Promise<void> {
      changes += 1
      const by = await acts.stage.staff()
      dataOf(await by.put('/admin/configs/groups/platform_plugin', { plugin_mails_per_day: 500 + changes }))
    }

    it('draws the rows near the reader, tells of all of them, and has all of them on paper', async () => {
      const whole = Number(await page.getByRole('table').getAttribute('aria-rowcount'))
      assert.ok(whole > 240)
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
      const last = page.locator(lines).last()
      await until(async () => Number(await last.getAttribute('aria-rowindex')) === whole)
      assert.match((await last.textContent()) ?? '', /config:/)
      assert.ok((await drawn()) < 80, `${await drawn()} rows are drawn`)
      assert.deepEqual(await axeFaults(page), [])

      await page.emulateMedia({ media: 'print' })
      await until(async () => (await drawn()) === whole - 1)
      await page.emulateMedia({ media: 'screen' })
      await until(async () => (await drawn()) < 80)
    })

    it('finds what is loaded though it is not drawn, by keyboard', async () => {
      const find = page.getByRole('searchbox', { name: 'Find in the loaded lines' })
      await find.fill('CONFIG:OLD-12')
      const told = page.getByRole('search', { name: 'Find in the loaded lines' }).getByText(/\d of \d/)
      await until(async () => (await told.textContent()) === '1 of 11')
      const found = page.locator('[aria-current=true]')
      await until(async () => /config:old-129/.test((await found.textContent()) ?? ''))
      await find.press('Shift+Enter')
      await until(async () => /config:old-12(?!\d)/.test((await found.textContent()) ?? ''))
      assert.equal(await told.textContent(), '11 of 11')
      const place = await found.boundingBox()
      assert.ok(place && place.y > 100 && place.y < 800, 'the row that was found is seen')
      await find.press('Enter')
      await until(async () => (await told.textContent()) === '1 of 11')
      assert.deepEqual(await axeFaults(page), [])
      await find.press('Escape')
      assert.equal(await found.count(), 0)
    })

    it('says how many lines have come, and takes them in without moving what is read', async () => {
      await page.getByRole('searchbox', { name: 'Find in the loaded lines' }).fill('old-129')
      await page.getByRole('row').filter({ hasText: 'config:old-129' }).waitFor()
      await page.waitForFunction('document.querySelector("tr.found")?.getBoundingClientRect().top > 100')
      const before = await topOf('config:old-129')
      await change()
      await change()
      await page.getByRole('button', { name: '2 newer' }).waitFor()
      assert.ok(Math.abs((await topOf('config:old-129')) - before) < 2)
      const count = Number(await page.getByRole('table').getAttribute('aria-rowcount'))
      await page.getByRole('button', { name: '2 newer' }).click()
      await page.getByText('2 newer lines are above').waitFor()
      await until(async () => Number(await page.getByRole('table').getAttribute('aria-rowcount')) === count + 2)
      await page.getByRole('button', { name: '2 newer' }).waitFor({ state: 'hidden' })
      assert.ok(Math.abs((await topOf('config:old-129')) - before) < 2)
      await page.evaluate('window.scrollTo(0, 0)')
      await until(async () => /platform_plugin/.test((await first()) ?? ''))
    })

    it('keeps the row that has the focus when others before it go', async () => {
      const row = page.getByRole('row').filter({ hasText: 'config:old-129' })
      await page.getByRole('searchbox', { name: 'Find in the loaded lines' }).fill('old-129')
      await row.getByRole('button').first().focus()
      await page.evaluate('window.scrollTo(0, 0)')
      await page.locator(`${lines}[data-index="0"]`).waitFor()
      await acts.stage.host.kernel.database.knex.transaction(async (trx) => {
        const newest = `select id from access_audit_log where target in ('config:old-238', 'config:old-239', 'config:old-240')`
        await trx.raw(`delete from access_audit_log where id in (${newest})`).queryContext({ tenant: 'all' })
      })
      await change()
      await page.getByRole('button', { name: '1 newer' }).waitFor()
      await until(async () => (await page.getByText('config:old-240').count()) === 0)
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
      await until(async () => Number(await page.locator(lines).last().getAttribute('data-index')) > 200)
      assert.match(await page.evaluate('document.activeElement.closest("tr")?.textContent ?? ""'), /config:old-129/)
    })

    it('shows what has come to a reader of its beginning, on a phone as well', async () => {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.evaluate('window.scrollTo(0, 0)')
      await page.locator(`${lines}[data-index="0"]`).waitFor()
      const count = await page.getByRole('table').getAttribute('aria-rowcount')
      await change()
      await page.getByRole('button', { name: '1 newer' }).click()
      await until(async () => (await page.getByRole('table').getAttribute('aria-rowcount')) !== count)
      assert.match((await page.locator('main tr.fresh').textContent()) ?? '', /platform_plugin/)
      assert.equal(await overflowOf(page), '')
      await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight / 2)')
      await until(async () => (await drawn()) > 5 && (await drawn()) < 80)
      assert.equal(await overflowOf(page), '')
      await page.setViewportSize({ width: 1280, height: 800 })
    })
  })
})
