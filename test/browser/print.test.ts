import assert from 'node:assert/strict'
import { extractText } from 'unpdf'
import { dataOf } from '../support/platform.ts'
import { installAndEnable, packSmall } from '../support/small-plugin.ts'
import { until } from '../support/until.ts'
import { axeFaults } from './support/axe.ts'
import { converse, readerOfWriter } from './support/chats.ts'
import { lengthen } from './support/long-conversation.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('pages on paper', () => {
  const acts = useActs()

  it('52: a list, the log, usage and a conversation are printed without what leads elsewhere', async () => {
    const staff = await acts.tab(await acts.signedIn())
    const owner = await acts.tab(await acts.signedIn(demoOwner(acts.stage)))
    const printed = [
      [staff, '/admin/tenants'],
      [staff, '/admin/audit-logs'],
      [staff, '/admin/ai/usage'],
      [owner, '/chat'],
    ] as const
    for (const [page, address] of printed) {
      await page.goto(acts.at(address))
      await page.waitForLoadState('networkidle')
      const navigation = page.getByRole('navigation', { name: 'Main navigation' })
      await navigation.waitFor()
      await page.emulateMedia({ media: 'print' })
      await navigation.waitFor({ state: 'hidden' })
      const clipped = await page.evaluate<string[]>(`[...document.querySelectorAll('main, main *')]
        .filter((each) => /auto|scroll|hidden/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 24 && each.clientHeight > 100)
        .map((each) => each.className)`)
      assert.deepEqual(clipped, [], address)
      await page.emulateMedia({ media: 'screen' })
    }
  })
  it('4.9, 52: a conversation is printed from its beginning from the menu; what the browser’s own keys leave out is said', async () => {
    const [count, word] = [232, 'Zebrawood']
    const { who, api } = await readerOfWriter(acts.stage)
    const id = await converse(api, word)
    await lengthen(acts.stage, id, count)
    const context = await acts.signedIn(who)
    // Where it is printed the browser would wait for a person: instead it is noted how much was there.
    await context.addInitScript(
      `self.printed = []; self.print = () => self.printed.push(document.querySelectorAll('article').length)`,
    )
    const page = await acts.tab(context, `/chat/${id}`)
    const articles = page.getByRole('article')
    await articles.nth(49).waitFor()
    const leftOut = 'Earlier messages are left out'
    const onPaper = async () => {
      const { text } = await extractText(new Uint8Array(await page.pdf()), { mergePages: true })
      return { words: text.split(`You said: ${word}`).length - 1, isLeftOut: text.includes(leftOut) }
    }
    const print = async () => {
      await page
        .locator('.thread')
        .getByRole('button', { name: /^What can be done with/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Print', exact: true }).click()
    }
    assert.deepEqual(await onPaper(), { words: 25, isLeftOut: true })
    assert.equal(await page.getByText(leftOut).isVisible(), false)

    // So slow that it can be given up: what had come stays, and nothing is printed.
    let letGo = Promise.withResolvers<undefined>()
    await page.route(/conversations\/.*before=/, async (route) => {
      await letGo.promise
      await route.continue()
    })
    await print()
    const reading = page.getByText('Reading all of it to print it: 50 messages')
    await reading.waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.getByRole('button', { name: 'Cancel' }).click()
    letGo.resolve(undefined)
    await reading.waitFor({ state: 'detached' })
    await articles.nth(149).waitFor({ state: 'attached' })
    assert.equal(await page.getByText('Reading all of it').count(), 0)
    letGo = Promise.withResolvers()
    letGo.resolve(undefined)
    await print()
    await until(async () => JSON.stringify(await page.evaluate('self.printed')) === JSON.stringify([count]))
    assert.deepEqual(await onPaper(), { words: count / 2, isLeftOut: false })
  })
  it('52: what a dark reader prints is dark on white, with the addresses of its links and numbers of its pages', async () => {
    const name = 'acme.printed'
    const address = 'https://docs.example.com/printed'
    const [staff, owner] = [await acts.stage.staff(), await acts.stage.owner()]
    const files = { 'README.md': `# Printed\n\nRead [the guide](${address}) first.\n` }
    await installAndEnable(staff, await packSmall(name, {}, undefined, files))
    const tenants = dataOf(await staff.get('/admin/tenants?q=demo'))['items'] as unknown as { id: number }[]
    dataOf(await staff.post(`/admin/plugins/${name}/tenants`, { tenant_ids: tenants.map(({ id }) => id) }))
    dataOf(await owner.patch('/preferences', { theme: 'dark' }))
    try {
      const page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)), `/tenant/plugins/${name}`)
      const link = page.getByRole('link', { name: 'the guide' })
      await link.waitFor()
      const look = () =>
        page.evaluate<unknown>(`(() => {
          const { color, backgroundColor } = getComputedStyle(document.documentElement)
          return [document.documentElement.dataset.theme, color, backgroundColor]
        })()`)
      assert.deepEqual(await look(), ['dark', 'rgb(232, 235, 240)', 'rgb(16, 19, 24)'])
      await page.emulateMedia({ media: 'print' })
      assert.deepEqual(await look(), ['dark', 'rgb(26, 31, 43)', 'rgba(0, 0, 0, 0)'])
      assert.equal(
        await page.evaluate<string>(`getComputedStyle(document.querySelector('a[href="${address}"]')).color`),
        'rgb(59, 79, 184)',
      )
      const { text } = await extractText(new Uint8Array(await page.pdf()), { mergePages: true })
      assert.match(text, new RegExp(`the guide \\(${address}\\)`))
      assert.match(text, /\b1 \/ \d/)
    } finally {
      dataOf(await owner.delete('/preferences/theme'))
      dataOf(await staff.delete(`/admin/plugins/${name}?purge=true`))
    }
  })
})
