import type { ConfigItemDeclaration, Localised } from '#kernel'

type Rest = Pick<ConfigItemDeclaration, 'public' | 'ui' | 'description' | 'approval'>

/** A number between two bounds. */
export function numberItem(
  key: string,
  name: Localised,
  [start, min, max]: readonly [start: number, min: number, max: number],
  rest: Rest = {},
): ConfigItemDeclaration {
  const rules = { min, max }
  return { key, type: 'NUMBER', name, default: start, required: true, rules, ...rest }
}

/** A switch. */
export function switchItem(key: string, name: Localised, start: boolean, rest: Rest = {}): ConfigItemDeclaration {
  return { key, type: 'BOOLEAN', name, default: start, required: true, ...rest }
}
