import { isObject, type JsonObject } from './json.ts'

/** The arguments of a call; none is an empty object. */
export function argumentsOf(text: string): JsonObject | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
