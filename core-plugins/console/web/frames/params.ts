import { wrongParams } from './fault.ts'

/** What a page sent along with a request, which may be anything. */
export type Params = Readonly<Record<string, unknown>>

/** The members of what was sent. */
export function paramsOf(value: unknown): Params {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongParams('params must be an object')
  return value as Params
}

/** A text of at most so many characters. */
export function textOf(params: Params, name: string, most: number): string {
  const value = params[name]
  if (typeof value !== 'string') throw wrongParams(`${name} must be a text`)
  if (value.length > most) throw wrongParams(`${name} must have at most ${most} characters`)
  return value
}

/** A number. */
export function numberOf(params: Params, name: string): number {
  const value = params[name]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw wrongParams(`${name} must be a number`)
  return value
}

/** A member that says yes or no, where it is there. */
export function isSet(params: Params, name: string): boolean {
  return params[name] === true
}
