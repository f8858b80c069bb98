import { dataOf } from '../support/platform.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('what a tab changes itself', () => {
  const acts = useActs()

  it('is answered to its form before its page is read again, also where others hear of it sooner', async () => {
    const by = await acts.stage.owner()
    const user = { email: 'turned-away@demo.test', nickname: 'turned away', roles: ['tenant_user'] }
    const made = dataOf(await by.post('/tenant/users', { ...user, password: 'a long enough passphrase' }), 201)
    const { knex } = acts.stage.host.kernel.database
    // As if it had registered itself.
    const rows = knex('users').queryContext({ tenant: 'all' }).where({ email: user.email })
    await rows.update({ status: 'pending_approval' })
    const others = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), '/tenant/users?status=pending_approval')
    const elsewhere = others.getByRole('link', { name: user.nickname })
    await elsewhere.waitFor()

    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/users/${Number(made['id'])}`)
    await page.route(/\/approve$/, async (route) => {
      const response = await route.fetch()
      await elsewhere.waitFor({ state: 'detached' })
      await page.waitForTimeout(500)
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Decide', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn away' }).click()
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })
})
