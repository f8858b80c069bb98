import assert from 'node:assert/strict'
import * as accessErrors from '../../core-plugins/access/errors.ts'
import { messages as accessMessages } from '../../core-plugins/access/messages.ts'
import * as authErrors from '../../core-plugins/auth/errors.ts'
import { messages as authMessages } from '../../core-plugins/auth/messages.ts'
import * as tenantErrors from '../../core-plugins/tenants/errors.ts'
import { messages as tenantMessages } from '../../core-plugins/tenants/messages.ts'
import * as userErrors from '../../core-plugins/users/errors.ts'
import { messages as userMessages } from '../../core-plugins/users/messages.ts'

type Declared = Readonly<Record<string, { readonly reason: string; readonly template: string }>>
type Messages = Readonly<Record<'zh-CN', Readonly<Record<string, string>>>>

const plugins: readonly (readonly [string, Declared, Messages])[] = [
  ['access', accessErrors, accessMessages],
  ['auth', authErrors, authMessages],
  ['tenants', tenantErrors, tenantMessages],
  ['users', userErrors, userMessages],
]

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the errors of identity', () => {
  for (const [name, errors, messages] of plugins) {
    it(`of ${name} speak Chinese, with the same values`, () => {
      const declared = Object.values(errors).map(({ reason, template }) => [reason, placeholders(template)])
      const translated = Object.entries(messages['zh-CN']).map(([reason, text]) => [reason, placeholders(text)])
      assert.deepEqual(translated.sort(), declared.sort())
    })
  }
})
