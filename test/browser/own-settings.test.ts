import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { demoOwner, useActs } from './support/stage.ts'

const name = 'acme.drawn'
const manifest = {
  ...{ title: { default: 'Drawn' }, capabilities: ['ui'], reasons: { ui: 'Shows its settings.' } },
  tenant_routes: [{ method: 'GET', path: '/fail', handler: 'fail' }],
  slots: [
    { slot: 'settings_tab', id: 'looks', entry: 'ui/page.html', title: { default: 'Looks' }, area: 'tenant' },
    { slot: 'settings_tab', id: 'links', entry: 'ui/page.html', title: { default: 'Links' }, area: 'tenant' },
    { slot: 'settings_tab', id: 'rules', entry: 'ui/page.html', title: { default: 'Rules' }, area: 'admin' },
  ],
}
const definition = `{ handlers: { fail() { throw new Error('the shelf is empty') } } }`
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Settings</title>
<link rel="stylesheet" href="/plugin-ui/sdk/1/stoa-ui.css"><script type="module" src="page.js"></script></head>
<body><main><h2 id="seen">…</h2><button id="next">Next</button><button id="change">Change</button></main></body></html>`
const script = `import { connect } from '/plugin-ui/sdk/1/stoa-ui.js'
const stoa = await connect()
const show = () => {
  const { slot, route, displayMode } = stoa.context
  document.getElementById('seen').textContent = [slot.kind, slot.id, slot.area, route, displayMode].join(' ')
}
stoa.on('context', show)
stoa.on('route', show)
document.getElementById('next').onclick = () => stoa.navigate('/second')
document.getElementById('change').onclick = () => {
  stoa.setDirty(true)
  stoa.setTitle('not saved')
}
show()
stoa.ready()
`
const readme = ['# Drawn', '', 'It draws **everything** itself.', '', '<script>top.acted = 1</script>'].join('\n')

/** A frame of another origin may send no header of ours. */
const plain = { extraHTTPHeaders: {} }

describe('what a plugin says and draws itself on its page', () => {
  const acts = useActs()

  before(async () => {
    const staff = await acts.stage.staff()
    const files = {
      ...{ 'ui/page.html': html, 'ui/page.js': script, 'README.md': readme },
    }
    await installAndEnable(staff, await packSmall(name, manifest, definition, files))
    const tenants = dataOf(await staff.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
    dataOf(await staff.post(`/admin/plugins/${name}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    dataOf(await (await acts.stage.owner()).post(`/tenant/plugins/${name}/enable`))
  })
  after(async () => {
    dataOf(await (await acts.stage.staff()).delete(`/admin/plugins/${name}?purge=true`))
  })

  const seen = (page: Page, words: string) => page.frameLocator('iframe').getByText(words, { exact: true }).waitFor()
  /** Whether the browser lets the tab be closed unasked. */
  const mayGo = (page: Page) => page.evaluate<boolean>("dispatchEvent(new Event('beforeunload', { cancelable: true }))")
  const tab = (page: Page, title: string) =>
    page.getByRole('navigation', { name: 'Parts of the plugin' }).getByRole('link', { name: title, exact: true })

  it('its settings of the tenant are tabs, with addresses of their own, and what was changed there is not lost unasked', async () => {
    const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage), plain), `/tenant/plugins/${name}`)
    await page.getByRole('article', { name: 'Description' }).getByText('everything').waitFor()
    assert.equal(await page.evaluate('top.acted'), undefined)
    assert.deepEqual(await axeFaults(page), [])
    await tab(page, 'Looks').click()
    await seen(page, 'settings_tab looks tenant / inline')
    assert.deepEqual(await axeFaults(page), [])
    await page.frameLocator('iframe').getByRole('button', { name: 'Next' }).click()
    await seen(page, 'settings_tab looks tenant /second inline')
    await page.waitForURL(/\?r=(%2F|\/)second$/)
    await page.goBack()
    await seen(page, 'settings_tab looks tenant / inline')
    await page.goForward()
    await page.reload()
    await seen(page, 'settings_tab looks tenant /second inline')
    assert.equal(await tab(page, 'Looks').getAttribute('aria-current'), 'page')

    await page.frameLocator('iframe').getByRole('button', { name: 'Change' }).click()
    const asked: string[] = []
    let isLeft = false
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (isLeft ? dialog.accept() : dialog.dismiss())
    })
    // Told after the change, so that the console knows of both.
    await page.getByRole('heading', { name: 'not saved' }).waitFor()
    assert.equal(await mayGo(page), false)
    await tab(page, 'Links').click()
    await until(() => asked.length > 0)
    await seen(page, 'settings_tab looks tenant /second inline')
    isLeft = true
    await tab(page, 'Links').click()
    await seen(page, 'settings_tab links tenant / inline')
    // What is left with its changes is forgotten: nobody is asked about it again.
    assert.equal(await mayGo(page), true)
    await tab(page, 'Looks').click()
    await seen(page, 'settings_tab looks tenant / inline')
    assert.equal(asked.length, 2)
    assert.equal(await tab(page, 'Rules').count(), 0)
  })

  it('its settings of the platform are a tab of its page there', async () => {
    const page = await acts.tab(await acts.signedIn(undefined, plain), `/admin/plugins/${name}`)
    await tab(page, 'Rules').click()
    await seen(page, 'settings_tab rules admin / inline')
    assert.equal(await tab(page, 'Looks').count(), 0)
    assert.deepEqual(await axeFaults(page), [])
  })

  it('its page tells what it is, whether calls are let through, and what failed', async () => {
    const page = await acts.tab(await acts.signedIn(undefined, plain), `/admin/plugins/${name}`)
    await page.getByRole('article', { name: 'Description' }).getByRole('heading', { name: 'Drawn' }).waitFor()
    const breaker = page.getByRole('region', { name: 'Breaker' })
    await breaker.getByText('Closed').waitFor()
    const operations = page.getByRole('region', { name: 'Operations' })
    await operations.getByRole('button', { name: /^Enable / }).click()
    await page.getByRole('dialog', { name: /^Enable/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })

    const owner = await acts.stage.owner()
    await until(async () => (await owner.get(`/tenant/plugins/${name}/api/fail`)).status === 503)
    await page.reload()
    await breaker.getByText('Open', { exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await tab(page, 'Figures').click()
    const failures = page.getByRole('region', { name: 'Last failures' })
    await failures.getByText('the shelf is empty').first().waitFor()
    assert.deepEqual(await axeFaults(page), [])
  })
})
