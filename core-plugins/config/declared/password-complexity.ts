import type { ConfigItemDeclaration } from '#kernel'
import { localised } from './localised.ts'

/** What characters a password must be made of; nothing in particular unless somebody must have it so. */
export const passwordComplexity: ConfigItemDeclaration = {
  key: 'password_complexity',
  type: 'SELECT',
  name: localised('Password complexity', '密码复杂度'),
  default: 'none',
  required: true,
  public: true,
  options: [
    { label: localised('None', '不限'), value: 'none' },
    { label: localised('Letters and digits', '字母与数字'), value: 'letters_digits' },
    { label: localised('Upper and lower case and digits', '大小写字母与数字'), value: 'mixed_case_digits' },
    { label: localised('Upper and lower case, digits and symbols', '大小写字母、数字与符号'), value: 'all_classes' },
  ],
}
