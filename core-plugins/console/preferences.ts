import type { PreferenceDeclaration } from '../preferences/contract.ts'
import { texts } from './texts/texts.ts'

/** What the console keeps of a user. */
export const consolePreferences: readonly PreferenceDeclaration[] = [
  {
    key: 'console.getting_started',
    name: texts.of('preference.getting_started'),
    schema: {
      type: ['object', 'null'],
      additionalProperties: false,
      properties: { dismissed: { type: 'boolean' } },
    },
    default: null,
  },
  {
    key: 'console.shortcuts',
    name: texts.of('preference.shortcuts'),
    schema: { type: 'boolean' },
    default: true,
  },
]
