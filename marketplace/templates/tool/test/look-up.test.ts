import { deepEqual, equal } from 'node:assert/strict'
import { loadPlugin, type TestPlugin } from '@stoa/plugin-sdk/testing'

describe('the exchange rate', () => {
  let plugin: TestPlugin
  before(async () => {
    plugin = await loadPlugin('.', {
      http: { 'GET https://rates.example.com/latest': { body: { rates: { USD: 1.1 } } } },
    })
  })
  after(() => plugin[Symbol.asyncDispose]())

  it('is what the host says', async () => {
    const { data } = await plugin.callTool('exchange_rate', { currency: 'USD' })
    deepEqual(data, { content: { currency: 'USD', rate: 1.1 } })
    equal(plugin.sent.at(-1)?.url, 'https://rates.example.com/latest?base=EUR')
  })

  it('says when there is none', async () => {
    const { code, error } = await plugin.callTool('exchange_rate', { currency: 'XXX' })
    deepEqual([code, error?.message], [4040, 'There is no rate for XXX'])
  })

  it('is shown on its page, which says as well when there is none', async function () {
    if (!plugin.hasBrowser) this.skip()
    await using page = await plugin.openPage('rates')
    await page.getByLabel('Currency').fill('usd')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('1 EUR = 1.1 USD').waitFor()
    await page.getByLabel('Currency').fill('XXX')
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('There is no rate for XXX').waitFor()
    equal(await page.getByText('1 EUR').isVisible(), false)
  })
})
