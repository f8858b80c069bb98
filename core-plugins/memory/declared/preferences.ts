import type { PreferenceDeclaration } from '../../preferences/contract.ts'
import { texts } from '../texts/texts.ts'

/** What users say of what agents remember of them. */
export const memoryPreferences: readonly PreferenceDeclaration[] = [
  { key: 'ai_memory', name: texts.of('preference.ai_memory'), schema: { type: 'boolean' }, default: true },
]
