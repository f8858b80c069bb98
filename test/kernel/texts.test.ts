import assert from 'node:assert/strict'
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
})
