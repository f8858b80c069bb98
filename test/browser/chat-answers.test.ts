import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { axeFaults } from './support/axe.ts'
import { converse } from './support/chats.ts'
import { demoOwner, useActs } from './support/stage.ts'

describe('what an answer shows', () => {
  const acts = useActs()
  let page: Page

  const answers = () => page.getByRole('article', { name: 'Answer' })
  /** Opens a conversation in which the agent has said this; it says what it is told. */
  async function answered(text: string): Promise<void> {
    const id = await converse(await acts.stage.owner(), text)
    await page.goto(acts.at(`/chat/${id}`))
  }
  beforeEach(async () => void (page = await acts.tab(await acts.signedIn(demoOwner(acts.stage)))))

  it('44: a hostile answer shows as text and loads nothing', async () => {
    const hostile = [
      '<script>document.title = "gone"</script><img src="https://evil.test/a.png">',
      '[a bank](javascript:alert(1)) ![seen](https://evil.test/b.png) [bank.test](https://evil.test/)',
      `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(100)}`,
      '\u202Ereversed',
      `\`\`\`js\nconst fence = "never closed"\n${'x'.repeat(21_000)}`,
    ].join('\n\n')
    await answered(hostile)
    await answers().getByText('never closed').waitFor()
    assert.equal(await answers().locator('script, img, [href^="javascript"]').count(), 0)
    await answers().getByText('(evil.test)').first().waitFor()
    await page.getByRole('button', { name: 'Copy the code' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
  })

  it('44: code is marked by its language, formulas are drawn, and neither brings anything else with it', async () => {
    const code = 'const answer: number = 42 // "<b>not bold</b>"'
    const formulas = ['$a^2 + b^2$', '\\[\n\\frac{1}{2}\n\\]', '\\(\\href{javascript:alert(1)}{x}\\)']
    const said = [
      'Look:',
      `\`\`\`ts\n${code}\n\`\`\``,
      ...formulas,
      'It is $5 and $6.',
      '$\\frac{$',
      'Set $HOME/$USER now, foo\\[0\\] and bar\\[1\\]',
      '```nolanguage\nconst\n```',
    ]
    await answered(said.join('\n\n'))
    const blocks = answers().getByRole('region')
    await blocks.first().locator('.hljs-keyword', { hasText: 'const' }).waitFor()
    assert.equal(await blocks.first().innerText(), code)
    assert.equal(await blocks.last().innerText(), 'const')
    await answers().locator('math').nth(2).waitFor()
    assert.equal(await answers().locator('math').count(), 3)
    await answers().getByText('Set $HOME/$USER now, foo[0] and bar[1]').waitFor()
    assert.equal(await answers().locator('mfrac').count(), 1)
    assert.equal(await answers().locator('b, annotation, [href*="javascript"], [style]').count(), 0)
    await answers().getByText('It is $5 and $6.').waitFor()
    await answers().getByText('\\frac{', { exact: true }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await axeFaults(page), [])
    await page.emulateMedia({ colorScheme: 'light' })

    await answered(`Look:\n\n\`\`\`md\n${'[a]('.repeat(2_000)}\n\`\`\``)
    await blocks.first().waitFor()
    // What marks it would go on for seconds, and takes none of the page's own: what counts is its own time, not that of a busy machine.
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const spent = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? assert.fail('nothing is measured')
    }
    const before = await spent()
    for (let at = 0; at < 10; at++) await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    const seconds = (await spent()) - before
    assert.ok(seconds < 1, `${seconds} s of scripts`)
    await session.detach()
  })
})
