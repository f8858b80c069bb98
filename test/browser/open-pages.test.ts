import assert from 'node:assert/strict'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { useActs } from './support/stage.ts'
import { accountOf } from './support/steps.ts'

describe('the bar of open pages', () => {
  const acts = useActs()

  it('is there for who wants it, names what is open, keeps addresses and places, and closes', async () => {
    const by = await acts.stage.staff()
    const who = { account: 'many-pages@stoa.test', password: 'a long enough passphrase' }
    const made = await by.post('/admin/users', {
      email: who.account,
      password: who.password,
      roles: ['platform_admin'],
    })
    const { id } = dataOf(made, 201)
    const page = await acts.tab(
      await acts.signedIn(who, { viewport: { width: 1280, height: 420 } }),
      '/profile/preferences',
    )
    const bar = page.getByRole('navigation', { name: 'Open pages' })
    const read = () => page.evaluate<number>('window.scrollY')
    const titles = () => bar.getByRole('link').allInnerTexts()
    await page.getByLabel('Bar of the pages that are open').selectOption('true')
    await bar.getByRole('link', { name: 'Preferences' }).waitFor()

    // As far as it is asked for only once the page is as long as that, and the wheel would be on its way for some frames.
    const far = 320
    await until(async () => {
      await page.evaluate(`scrollTo({ top: ${far}, behavior: 'instant' })`)
      return (await read()) === far
    })
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Users' }).click()
    await page.getByLabel('Search', { exact: true }).first().fill('many-pages')
    await page.waitForURL((url) => url.search === '?q=many-pages')
    await page.goto(acts.at(`/admin/users/${Number(id)}`))
    await bar.getByRole('link', { name: 'many-pages' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.reload()
    await bar.getByRole('link', { name: 'many-pages' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'many-pages' }).waitFor()
    await until(async () => (await titles()).join() === ['Preferences', 'Users', who.account].join())
    await until(async () => (await page.title()).startsWith('many-pages@stoa.test · '))

    await bar.getByRole('link', { name: 'Preferences' }).click()
    await until(async () => Math.abs((await read()) - far) < 40)
    await bar.getByRole('button', { name: 'Close Preferences' }).click()
    await page.waitForURL((url) => url.search === '?q=many-pages')
    await until(async () => (await titles()).join() === ['Users', who.account].join())
    await bar.getByRole('link', { name: 'many-pages' }).click({ button: 'middle' })
    await bar.getByRole('link', { name: 'many-pages' }).waitFor({ state: 'detached' })
    assert.deepEqual(await titles(), ['Users'])

    const kept = () =>
      page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.includes('open_pages'))")
    assert.equal((await kept()).length, 1)
    await (await accountOf(page)).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(await kept(), [], 'titles and addresses of pages stay behind')
  })
})
