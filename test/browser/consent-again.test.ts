import assert from 'node:assert/strict'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { packSmall, upload } from '../support/small-plugin.ts'
import { axeFaults } from './support/axe.ts'
import { useActs, type Credentials } from './support/stage.ts'

const asker: Credentials = { account: 'asker@consents.test', password: 'a long enough passphrase' }
const name = 'acme.interrupted'
const held = [
  ...['console_admin:enter', 'platform_tenant:list'],
  ...['list', 'detail', 'consent', 'enable'].map((action) => `platform_plugin:${action}`),
]
const giving = 'platform_plugin:assign_tenant'

describe('a consent of which only a part is done', () => {
  const acts = useActs()
  let staff: Api
  let role = ''

  before(async () => {
    staff = await acts.stage.staff()
    const wish = { code: 'asker', name: 'Asker', permissions: [...held, giving], data_scope: 'ALL' }
    role = `/admin/roles/${Number(dataOf(await staff.post('/admin/roles', wish), 201)['id'])}`
    const { account: email, password } = asker
    dataOf(await staff.post('/admin/users', { email, password, roles: ['asker'] }), 201)
  })
  after(() => staff.delete(`/admin/plugins/${name}?purge=true`))

  it('26: goes on where it failed, and is not given twice', async () => {
    const events = { publish: [`${name}.done`], subscribe: [] }
    const asked = { capabilities: ['events'], reasons: { events: 'Tells.' }, events }
    dataOf(await upload(staff, await packSmall(name, asked)), 201)
    const page = await (await acts.signedIn(asker)).newPage()
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.method() === 'POST' && pathname.startsWith(`/admin/plugins/${name}/`))
        sent.push(pathname.split('/').at(-1) ?? '')
    })
    await page.goto(acts.at(`/admin/plugins/${name}`))
    await page.getByRole('button', { name: 'Read what it asks for' }).click()
    const dialog = page.getByRole('dialog')
    const find = dialog.getByRole('searchbox', { name: 'Search' })
    await find.fill('demo')
    await dialog.getByRole('checkbox', { name: /Demo/ }).check()
    // What was picked stays while somebody else is looked for.
    await find.fill('nobody of this name')
    await dialog.getByText('Nothing fits').waitFor()
    assert.ok(await dialog.getByRole('checkbox', { name: /Demo/ }).isChecked())
    assert.deepEqual(await axeFaults(page), [])

    dataOf(await staff.put(role, { permissions: held }))
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await dialog.getByRole('alert').waitFor()
    assert.deepEqual(sent, ['consent', 'enable', 'tenants'])
    dataOf(await staff.put(role, { permissions: [...held, giving] }))
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText('It is ready.').waitFor()
    assert.deepEqual(sent, ['consent', 'enable', 'tenants', 'tenants'])
    const { status, tenants } = dataOf(await staff.get(`/admin/plugins/${name}`)) as unknown as {
      readonly status: string
      readonly tenants: readonly unknown[]
    }
    assert.deepEqual([status, tenants.length], ['enabled', 1])
  })
})
