import type { ConfigItemDeclaration } from '#kernel'
import { localised } from './localised.ts'

type Rest = Pick<ConfigItemDeclaration, 'public' | 'ui' | 'description' | 'approval'>

/** A number between two bounds. */
export function numberItem(
  key: string,
  [english, chinese]: readonly [english: string, chinese: string],
  [start, min, max]: readonly [start: number, min: number, max: number],
  rest: Rest = {},
): ConfigItemDeclaration {
  const rules = { min, max }
  return { key, type: 'NUMBER', name: localised(english, chinese), default: start, required: true, rules, ...rest }
}

/** A switch. */
export function switchItem(
  key: string,
  [english, chinese]: readonly [english: string, chinese: string],
  start: boolean,
  rest: Rest = {},
): ConfigItemDeclaration {
  return { key, type: 'BOOLEAN', name: localised(english, chinese), default: start, required: true, ...rest }
}
