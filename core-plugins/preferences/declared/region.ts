import { locales } from '#kernel'
import type { PreferenceDeclaration } from '../contract.ts'
import { texts } from '../texts/texts.ts'

/** Language, time and how dates are written. */
export const region: readonly PreferenceDeclaration[] = [
  {
    key: 'locale',
    name: texts.of('locale'),
    // Null follows the browser.
    schema: { enum: [...locales, null] },
    default: null,
  },
  {
    key: 'timezone',
    name: texts.of('timezone'),
    schema: { type: 'string', maxLength: 64, format: 'time-zone' },
    default: 'UTC',
  },
  {
    key: 'date_format',
    name: texts.of('date_format'),
    schema: { enum: ['YYYY-MM-DD', 'YYYY/MM/DD', 'DD/MM/YYYY', 'DD.MM.YYYY', 'MM/DD/YYYY'] },
    default: 'YYYY-MM-DD',
  },
]
