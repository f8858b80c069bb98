import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import type { Frame, Page } from 'playwright-core'
import type { Api } from '../support/api.ts'
import { dataOf } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { framed, giveFramed } from './support/framed.ts'
import { demoOwner, useActs, type Credentials } from './support/stage.ts'

const place = `/plugins/${framed}/book`
/** A header on every request would make a browser ask before it loads the scripts of a page with an origin of its own. */
const plain = { extraHTTPHeaders: {} }
const password = 'a long enough passphrase'

describe('what a page of a plugin says to the console', () => {
  const acts = useActs()
  let owner: Api

  before(async () => {
    owner = await giveFramed(acts.stage)
  })
  after(async () => {
    await (await acts.stage.staff()).delete(`/admin/plugins/${framed}?purge=true`)
  })

  it('a text of 1 MB is copied, a file of 4 MB is saved, and a body of 1 MB reaches the plugin', async () => {
    const { page, inside } = await opened(demoOwner(acts.stage))
    const letters = 999_960
    assert.deepEqual(await inside.evaluate(`stoa.post('/words', { words: 'x'.repeat(${letters}) })`), {
      length: letters,
    })

    // Each line end is written with two letters on the way.
    await onCopy(inside, `stoa.copy('x\\n'.repeat(500_000)).then(() => 'copied all', ({ reason }) => reason)`)
    await page.frameLocator('iframe').getByRole('button', { name: 'Copy' }).click()
    await page.frameLocator('iframe').getByText('copied all').waitFor()

    await onCopy(inside, `stoa.download({ name: 'a.txt', mime: 'text/plain', base64: btoa('x'.repeat(4_000_000)) })`)
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.frameLocator('iframe').getByRole('button', { name: 'Copy' }).click(),
    ])
    assert.equal((await stat(await saved.path())).size, 4_000_000)
  })

  it('what is too much is refused, and whoever waits for it is told so', async () => {
    const { inside } = await opened(demoOwner(acts.stage))
    const refused = await inside.evaluate<unknown>(`Promise.all([
      stoa.post('/words', { words: 'x'.repeat(1_000_001) }),
      stoa.post('/words', { words: 'x'.repeat(1_100_000) }),
      stoa.copy('x'.repeat(2_200_000)),
      stoa.download({ name: 'a.txt', mime: 'text/plain', base64: 'x'.repeat(7_200_000) }),
    ].map((asked) => asked.then(() => 'done', ({ reason }) => reason)))`)
    assert.deepEqual(refused, Array(4).fill('too_large'))
    assert.deepEqual(await inside.evaluate(`stoa.get('/echo/after')`), { word: 'after', tenant: 'demo' })
  })

  it('35: many large messages are too many, though few; the page is told, and the console goes on', async () => {
    const { page, inside } = await opened(demoOwner(acts.stage))
    const reasons = await inside.evaluate<readonly string[]>(`(() => {
      const base64 = btoa('x'.repeat(4_500_000))
      const ask = () => stoa.download({ name: 'a.txt', mime: 'text/plain', base64 })
      return Promise.all(Array.from({ length: 16 }, () => ask().then(() => 'done', ({ reason }) => reason)))
    })()`)
    assert.deepEqual([...new Set(reasons)].toSorted(), ['forbidden', 'rate_limited'])
    await page.getByRole('button', { name: 'About Book' }).click()
    await page.getByText(`${framed} 1.0.0`).waitFor()
  })

  it('14: what a page was saving is sent when somebody has signed in again, however long that took', async () => {
    const who = { account: 'slow@demo.test', password, tenant_code: demoOwner(acts.stage).tenant_code ?? '' }
    const user = { email: who.account, password, roles: ['tenant_admin'] }
    const { id } = dataOf(await owner.post('/tenant/users', user), 201)
    const { page, inside } = await opened(who)
    dataOf(await owner.delete(`/tenant/users/${Number(id)}/sessions`))
    const milliseconds = 3000
    await inside.evaluate(`void (globalThis.saved = stoa.request({
      ...{ method: 'POST', path: '/words', body: { words: 'kept' }, timeoutMs: ${milliseconds} },
    }).then(({ body }) => body.data, ({ reason }) => reason))`)
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    // Longer than the request itself may take.
    const since = Date.now()
    await until(() => Date.now() - since > milliseconds)
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    assert.deepEqual(await inside.evaluate('globalThis.saved'), { length: 4 })
  })

  /** Has the page do something else when its button is clicked, and say what came of it. */
  async function onCopy(inside: Frame, work: string): Promise<void> {
    await inside.evaluate(`void (document.getElementById('copy').onclick = async () => {
      document.getElementById('said').textContent = String(await ${work})
    })`)
  }
  /** The page in a tab whose faults are those of what is tried in it. */
  async function opened(who: Credentials): Promise<{ readonly page: Page; readonly inside: Frame }> {
    const page = await (await acts.signedIn(who, plain)).newPage()
    await page.goto(acts.at(place))
    await page.frameLocator('iframe').getByText('demo read').waitFor()
    const frame = page.frames().find((each) => each.url().includes('/plugin-ui/'))
    return { page, inside: frame ?? assert.fail('there is no frame') }
  }
})
