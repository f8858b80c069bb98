import type { PreferenceDeclaration } from '../contract.ts'

/** Language, time and how dates are written. */
export const region: readonly PreferenceDeclaration[] = [
  {
    key: 'locale',
    name: { default: 'Language', 'zh-CN': '语言' },
    // Null follows the browser.
    schema: { enum: ['en', 'zh-CN', null] },
    default: null,
  },
  {
    key: 'timezone',
    name: { default: 'Time zone', 'zh-CN': '时区' },
    schema: { type: 'string', maxLength: 64, format: 'time-zone' },
    default: 'UTC',
  },
  {
    key: 'date_format',
    name: { default: 'Date format', 'zh-CN': '日期格式' },
    schema: { enum: ['YYYY-MM-DD', 'YYYY/MM/DD', 'DD/MM/YYYY', 'DD.MM.YYYY', 'MM/DD/YYYY'] },
    default: 'YYYY-MM-DD',
  },
]
