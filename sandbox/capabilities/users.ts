import type { BasicUser, PlatformServices } from '../platform-services.ts'
import { optionalIntegerOf, optionalTextOf, userIdOf } from './argument.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { badArgument } from './refusal.ts'

const PAGE = 20
const MAX_PAGE = 100
const MAX_SEARCH = 100
const MAX_ID = 2_147_483_647

/** Who the users of the call's tenant are; nothing by which somebody could be written to. */
export function createUsersCapability(users: PlatformServices['users']): CapabilityOperations {
  async function get(argument: Argument, { tenantId }: CallContext): Promise<unknown> {
    const user = await users.find(tenantId, userIdOf(argument, 'id'))
    return user ? presentUser(user) : null
  }

  async function list(argument: Argument, { tenantId }: CallContext): Promise<unknown> {
    const limit = optionalIntegerOf(argument, 'limit', 1, MAX_PAGE) ?? PAGE
    // One more than asked for tells whether there is another page.
    const found = await users.list(tenantId, {
      q: searchOf(argument),
      ids: idsOf(argument),
      after: cursorOf(argument),
      limit: limit + 1,
    })
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    return { users: shown.map(presentUser), ...(found.length > limit && last ? { cursor: String(last.id) } : {}) }
  }

  return { capability: 'users:read_basic', operations: { 'users.get': get, 'users.list': list } }
}

function presentUser({ id, nickname, account, status, avatarUrl }: BasicUser): object {
  return { id, nickname, account, status, avatarUrl }
}

function searchOf(argument: Argument): string | undefined {
  const q = optionalTextOf(argument, 'q')
  if (q === undefined || q === '') return undefined
  // PostgreSQL has no text with a NUL in it.
  if (q.length > MAX_SEARCH || q.includes('\0')) throw badArgument(`q has at most ${MAX_SEARCH} characters`)
  return q
}

function idsOf({ ids }: Argument): readonly number[] | undefined {
  if (ids === undefined || ids === null) return undefined
  if (!Array.isArray(ids) || ids.length > MAX_PAGE) throw badArgument(`ids must be a list of at most ${MAX_PAGE}`)
  return ids.map((id: unknown) => userIdOf({ ids: id }, 'ids'))
}

function cursorOf(argument: Argument): number | undefined {
  const cursor = optionalTextOf(argument, 'cursor')
  if (cursor === undefined) return undefined
  const after = /^[1-9][0-9]{0,9}$/.test(cursor) ? Number(cursor) : Infinity
  if (after > MAX_ID) throw badArgument('cursor is none of an earlier page')
  return after
}
