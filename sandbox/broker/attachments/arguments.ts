import { optionalTextOf, textOf } from '../argument.ts'
import type { Argument } from '../capability.ts'
import { badArgument } from '../refusal.ts'
import type { GuestAttachment } from './guest-attachments.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const visibilities: readonly GuestAttachment['visibility'][] = ['private', 'tenant', 'public']
const maxName = 1_024

/** The id that an argument must have. */
export function attachmentIdOf(argument: Argument): string {
  const id = textOf(argument, 'id').toLowerCase()
  if (uuid.test(id)) return id
  throw badArgument('id must be the id of an attachment')
}

/** Where a list goes on. */
export function cursorOf(argument: Argument): string | undefined {
  const cursor = optionalTextOf(argument, 'cursor')
  if (cursor === undefined || uuid.test(cursor)) return cursor
  throw badArgument('cursor is none of an earlier page')
}

/** Who may read a new file. */
export function visibilityOf(argument: Argument): GuestAttachment['visibility'] {
  const asked = optionalTextOf(argument, 'visibility') ?? 'private'
  const visibility = visibilities.find((known) => known === asked)
  if (visibility === undefined) throw badArgument(`visibility must be one of ${visibilities.join(', ')}`)
  return visibility
}

/** Whether something is wanted that is not unless it is said. */
export function isGivenOf(argument: Argument, name: string): boolean {
  const value = argument[name]
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw badArgument(`${name} must be true or false`)
}

/** A name of a file; what would mislead readers of it is cut by the platform. */
export function checkFileName(name: string): string {
  if (name.length <= maxName && name.isWellFormed()) return name
  throw badArgument(`filename has at most ${maxName} whole characters`)
}
