import type { ConfigItemDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** What characters a password must be made of; nothing in particular unless somebody must have it so. */
export const passwordComplexity: ConfigItemDeclaration = {
  key: 'password_complexity',
  type: 'SELECT',
  name: texts.of('password_complexity'),
  default: 'none',
  required: true,
  public: true,
  options: [
    { label: texts.of('password_complexity.none'), value: 'none' },
    { label: texts.of('password_complexity.letters_digits'), value: 'letters_digits' },
    { label: texts.of('password_complexity.mixed_case_digits'), value: 'mixed_case_digits' },
    { label: texts.of('password_complexity.all_classes'), value: 'all_classes' },
  ],
}
