import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { missingTexts, placeholdersOf, textFiles } from '../support/texts.ts'

describe('the texts of the whole platform', () => {
  it('have nothing that the English ones lack, and the same values', async () => {
    const wrong = (await textFiles()).flatMap(({ folder, locale, english, texts }) =>
      Object.entries(texts).flatMap(([key, text]) => {
        const isKnown = english[key] !== undefined && placeholdersOf(english[key]) === placeholdersOf(text)
        return isKnown ? [] : [`${folder}/${locale}.ts: ${key}`]
      }),
    )
    assert.deepEqual(wrong, [])
  })

  // Other languages may lack some, which are told in English: `node test/support/texts.ts` lists them.
  it('are all said in Chinese', async () => {
    assert.deepEqual(await missingTexts('zh-CN'), [])
  })

  // A third language is one word in the list of languages and files of texts: whatever else names one would have to be found and mended.
  it('are where languages are named, and in the list of them', () => {
    const root = path.join(import.meta.dirname, '..', '..')
    const files = globSync('{kernel,core-plugins,sandbox,marketplace}/**/*.{ts,js}', { cwd: root })
    const naming = files.filter(
      (file) =>
        !/\/texts\/|^marketplace\/templates\/|\/marketplace\/messages|\/console\/dist\//.test(file) &&
        /['"`]zh/.test(readFileSync(path.join(root, file), 'utf8')),
    )
    // What runs in browsers, or before there is anything to run there, has lists of its own.
    const inBrowsers = ['serving/building-page.ts', 'web/tab/hint.ts', 'web/tab/i18n.ts']
    assert.deepEqual(naming.sort(), [
      ...inBrowsers.map((file) => `core-plugins/console/${file}`),
      ...['kernel/locale/locale.ts', 'kernel/locale/locales.ts'],
    ])
  })
})
