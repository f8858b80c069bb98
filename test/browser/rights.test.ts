import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const password = 'a long enough passphrase'
const everybody = { tenant: 'all' } as const
describe('what a role is shown', () => {
  const acts = useActs()

  it('22: a right that is lost while its page is open takes the action away, and then the page', async () => {
    const by = await acts.stage.owner()
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

  it('29: a batch of users names those that could not be changed, and tries them again alone', async () => {
    const by = await acts.stage.owner()
    const names = Array.from({ length: 7 }, (_, at) => `batch-${at}`)
    const add = async (name: string, roles: readonly string[]) => {
      const user = { email: `${name}@demo.test`, nickname: name, password, roles }
      return Number(dataOf(await by.post('/tenant/users', user), 201)['id'])
    }
    // Who holds more than the clerk cannot be changed by the clerk.
    for (const [at, name] of names.entries()) await add(name, [at < 2 ? 'tenant_owner' : 'tenant_user'])
    await add('batch-clerk', ['tenant_admin'])
    const clerk = { account: 'batch-clerk@demo.test', password, tenant_code: 'demo' }
    const page = await acts.tab(await acts.signedIn(clerk), '/tenant/users?q=batch-&page_size=100')
    for (const name of names) {
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
      await row.getByRole('checkbox').check()
    }
    await page.getByRole('button', { name: 'Disable' }).click()
    const dialog = page.getByRole('dialog', { name: '2 could not be changed' })
    await dialog.waitFor()
    const named = (await dialog.getByRole('listitem').locator('strong').allTextContents()).toSorted()
    assert.deepEqual(named, names.slice(0, 2))
    assert.deepEqual(await axeFaults(page), [])
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && asked.push(request.url()))
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await until(() => asked.length === 2)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    const { total } = dataOf(await by.get('/tenant/users?q=batch-&status=disabled'))
    assert.equal(Number(total), 5)

    dataOf(await by.post('/tenant/roles', { code: 'given', name: 'Given', permissions: [], data_scope: 'ALL' }), 201)
    const holders = async () => Number(dataOf(await by.get('/tenant/users?q=batch-&role=given'))['total'])
    await page.reload()
    for (const [button, count] of [
      ['Give a role', 2],
      ['Take a role away', 0],
    ] as const) {
      for (const name of names.slice(5)) {
        const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
        await row.getByRole('checkbox').check()
      }
      await page.getByRole('button', { name: button }).click()
      const asking = page.getByRole('dialog')
      await asking.getByLabel('Role').selectOption('given')
      assert.deepEqual(await axeFaults(page), [])
      await asking.getByRole('button', { name: button }).click()
      await asking.waitFor({ state: 'detached' })
      assert.equal(await holders(), count)
    }

    // What somebody else gave since the rows were read stays.
    const lastOne = names[6] ?? ''
    const { items } = dataOf(await by.get(`/tenant/users?q=${lastOne}@`)) as unknown as { items: { id: number }[] }
    const path = `/tenant/users/${items[0]?.id}`
    await page.getByRole('row').filter({ hasText: lastOne }).getByRole('checkbox').check()
    const isReadAgain = (url: URL) => url.pathname.endsWith('/tenant/users')
    const held = Promise.withResolvers<void>()
    await page.route(isReadAgain, async (route) => {
      await held.promise
      await route.continue()
    })
    dataOf(await by.put(path, { roles: ['tenant_user', 'tenant_admin'] }))
    await page.getByRole('button', { name: 'Give a role' }).click()
    const asking = page.getByRole('dialog')
    await asking.getByLabel('Role').selectOption('given')
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    const giving = asking.getByRole('button', { name: 'Give a role' }).click()
    assert.deepEqual((await sent).postDataJSON(), { add_roles: ['given'] })
    held.resolve()
    await giving
    await asking.waitFor({ state: 'detached' })
    await page.unroute(isReadAgain)
    const { roles } = dataOf(await by.get(path)) as unknown as { roles: { code: string }[] }
    assert.deepEqual(roles.map(({ code }) => code).toSorted(), ['given', 'tenant_admin', 'tenant_user'])
  })

  it('people are narrowed to a node of the tree beside them, which the address keeps', async () => {
    const by = await acts.stage.owner()
    const node = async (body: object) => Number(dataOf(await by.post('/tenant/orgs', body), 201)['id'])
    const above = await node({ name: 'North wing' })
    const below = await node({ name: 'Night shift', parent_id: above })
    for (const [name, orgIds] of [
      ['wing-north', [above]],
      ['wing-night', [below]],
      ['wing-nowhere', []],
    ] as const) {
      const user = { email: `${name}@demo.test`, nickname: name, password, roles: ['tenant_user'], org_ids: orgIds }
      dataOf(await by.post('/tenant/users', user), 201)
    }
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/users?q=wing-')
    const people = async () => (await page.getByRole('link', { name: /^wing-/ }).allTextContents()).toSorted().join()
    await until(async () => (await people()) === 'wing-night,wing-north,wing-nowhere')
    const tree = page.getByRole('tree', { name: 'Nodes of the organisation' })
    await tree.getByRole('treeitem', { name: 'North wing' }).click()
    await page.waitForURL(new RegExp(`org_id=${above}$`))
    await until(async () => (await people()) === 'wing-north')
    await tree.getByRole('treeitem', { name: 'North wing' }).press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'Night shift' }).press('Enter')
    await until(async () => (await people()) === 'wing-night')
    await page.getByRole('row').filter({ hasText: 'wing-night' }).getByText('Night shift').waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.reload()
    await page.getByText('Members of Night shift').waitFor()
    await until(async () => (await people()) === 'wing-night')
    await page.goBack()
    await until(async () => (await people()) === 'wing-north')
    await page.getByRole('button', { name: 'People of all nodes' }).click()
    await until(async () => (await people()) === 'wing-night,wing-north,wing-nowhere')
    const sorted = page.waitForResponse(/tenant\/users\?.*sort=email/)
    await page
      .getByRole('columnheader', { name: 'E-mail' })
      .getByRole('button', { name: 'E-mail', exact: true })
      .click()
    assert.equal((await sorted).status(), 200)
    const row = page.getByRole('row').filter({ hasText: 'wing-nowhere@demo.test' })
    await row.getByRole('button', { name: 'Edit wing-nowhere' }).click()
    const editing = page.getByRole('dialog', { name: 'Edit wing-nowhere' })
    await editing.getByRole('checkbox', { name: /North wing/ }).check()
    await editing.getByRole('button', { name: 'Save' }).click()
    await row.getByText('North wing').waitFor()
    await row.getByRole('link', { name: 'wing-nowhere' }).click()
    await page.getByRole('region', { name: 'Roles' }).getByRole('link').click()
    await page.waitForURL(/tenant\/roles\/\d+$/)

    // Whoever sees one node only has a tree of that one.
    const scoped = { code: 'shift_lead', name: 'Shift lead', data_scope: 'ORG_ONLY' }
    const permissions = ['console_tenant:enter', 'tenant_user:list', 'tenant_org:list']
    dataOf(await by.post('/tenant/roles', { ...scoped, permissions }), 201)
    const lead = { account: 'shift-lead@demo.test', password, tenant_code: 'demo' }
    dataOf(
      await by.post('/tenant/users', { email: lead.account, password, roles: ['shift_lead'], org_ids: [below] }),
      201,
    )
    const theirs = await acts.tab(await acts.signedIn(lead), '/tenant/users')
    await theirs.getByRole('treeitem').first().waitFor()
    assert.deepEqual(await theirs.getByRole('treeitem').allInnerTexts(), ['Night shift'])
  })

  it('invitations are listed and taken back, and who registered is let in or turned away', async () => {
    const { host } = acts.stage
    const by = await acts.stage.owner()
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/users')
    await page.getByRole('link', { name: 'Invitations' }).click()
    // The list of users has a button of this name as well.
    await page.waitForURL(/\/invitations$/)
    await page.getByRole('button', { name: 'Invite' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('invited-once@demo.test')
    await dialog.getByLabel('Valid for').selectOption('7 days')
    await dialog.getByLabel('Send it by mail').uncheck()
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await dialog.getByRole('button', { name: 'Make the invitation' }).click()
    await dialog.getByText(/invite_code=/).waitFor()
    assert.deepEqual((await sent).postDataJSON(), {
      ...{ email: 'invited-once@demo.test', roles: ['tenant_user'], send: false, expires_in_hours: 168 },
    })
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ hasText: 'invited-once@demo.test' })
    await row.getByText('Open').waitFor()
    await row.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await row.waitFor({ state: 'detached' })

    for (const name of ['first', 'second']) {
      const user = { email: `${name}@waits.test`, nickname: `${name} newcomer`, password, roles: ['tenant_user'] }
      dataOf(await by.post('/tenant/users', user), 201)
    }
    // As if they had registered themselves.
    const { knex } = host.kernel.database
    await knex('users')
      .whereILike('email', '%@waits.test')
      .update({ status: 'pending_approval' })
      .queryContext(everybody)
    await page.goto(acts.at('/tenant'))
    await page.getByRole('link', { name: '2 people wait to be let in' }).click()
    await page.waitForURL(/status=pending_approval/)
    await page.getByRole('button', { name: 'Decide on first newcomer' }).click()
    assert.deepEqual(await axeFaults(page), [])
    await dialog.getByRole('button', { name: 'Let in' }).click()
    await page.getByText('first newcomer was let in').waitFor()
    await page.getByRole('link', { name: 'second newcomer' }).click()
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await dialog.getByLabel('Reason').fill('We do not know you.')
    await dialog.getByRole('button', { name: 'Turn away' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
    const { items } = dataOf(await by.get('/tenant/users?q=newcomer')) as unknown as { items: { status: string }[] }
    assert.deepEqual(
      items.map(({ status }) => status),
      ['active'],
    )
  })
})
