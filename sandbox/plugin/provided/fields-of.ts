import { PluginResponseInvalidError } from '../../errors.ts'

/** The members of what a plugin answered; throws 502/5029 for what is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalidAnswer('it is an object')
}

/** 502/5029, with what was wrong for the author. */
export function invalidAnswer(why: string): Error {
  return new PluginResponseInvalidError({ cause: `What the plugin answered: ${why}` })
}
