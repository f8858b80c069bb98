import assert from 'node:assert/strict'
import * as errors from '../../core-plugins/captcha/errors.ts'
import { messages } from '../../core-plugins/captcha/messages.ts'

const placeholders = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the errors of captchas', () => {
  it('speak Chinese, with the same values', () => {
    const declared = Object.values(errors).map(({ reason, template }) => [reason, placeholders(template)])
    const translated = Object.entries(messages['zh-CN']).map(([reason, text]) => [reason, placeholders(text)])
    assert.deepEqual(translated.sort(), declared.sort())
  })
})
