import type { Argument } from './capability.ts'
import { badArgument } from './refusal.ts'

/** The database's ids go no further. */
const maxId = 2_147_483_647

/** The text that an argument must have under this name. */
export function textOf(argument: Argument, name: string): string {
  const value = argument[name]
  if (typeof value === 'string') return value
  throw badArgument(`${name} must be a text`)
}

/** The text under this name, or undefined when it is left out. */
export function optionalTextOf(argument: Argument, name: string): string | undefined {
  return argument[name] === undefined || argument[name] === null ? undefined : textOf(argument, name)
}

/** The whole number under this name within its bounds, or undefined when it is left out. */
export function optionalIntegerOf(argument: Argument, name: string, min: number, max: number): number | undefined {
  const value = argument[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  throw badArgument(`${name} must be a whole number from ${min} to ${max}`)
}

/** The id of a user that an argument must have under this name. */
export function userIdOf(argument: Argument, name: string): number {
  const id = optionalIntegerOf(argument, name, 1, maxId)
  if (id !== undefined) return id
  throw badArgument(`${name} must be the id of a user`)
}

/** An argument that is an object, or an empty one. */
export function recordOf(argument: Argument, name: string): Argument {
  const value = argument[name]
  return typeof value === 'object' && value !== null ? (value as Argument) : {}
}

/** Text that stands for bytes in base64, strictly read: what Node would skip is refused. */
export function bytesOfBase64(text: string): Buffer {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw badArgument('This is not base64')
  return Buffer.from(text, 'base64')
}

/** The text of `{ base64: text }`, or undefined when the value is anything else. */
export function base64Of(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const keys = Object.keys(value)
  if (keys.length !== 1 || keys[0] !== 'base64') return undefined
  const { base64 } = value as { readonly base64: unknown }
  return typeof base64 === 'string' ? base64 : undefined
}

/** The bytes of a text, as UTF-8, or of `{ base64 }`. */
export function contentOf(data: unknown): Buffer {
  const base64 = base64Of(data)
  if (base64 !== undefined) return bytesOfBase64(base64)
  if (typeof data === 'string' && data.isWellFormed()) return Buffer.from(data, 'utf8')
  throw badArgument('data must be a text of whole characters or { base64 }')
}
