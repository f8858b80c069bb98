import { dataOf } from '../support/platform.ts'
import { demoOwner, useActs } from './support/stage.ts'

const password = 'a long enough passphrase'
describe('what a role is shown', function () {
  this.timeout(180_000)
  const acts = useActs()

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
})
