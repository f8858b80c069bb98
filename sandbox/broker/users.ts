import { optionalIntegerOf, optionalTextOf, userIdOf } from './argument.ts'
import type { Room } from '../wire/call.ts'
import type { Argument, CallContext, CapabilityOperations } from './capability.ts'
import { badArgument } from './refusal.ts'
import type { Provider } from './provider.ts'
import type { CapabilityGiven } from '../capabilities/table.ts'

const page = 20
const maxPage = 100
/** Of a user in a list, most of them the address of a picture. */
const userBytes = 2_560
const maxSearch = 100
const maxId = 2_147_483_647

/** What a plugin may know of a user: nothing by which somebody could be written to. */
export interface BasicUser {
  readonly id: number
  readonly nickname: string
  /** The name for signing in; null for users who have none but an address. */
  readonly account: string | null
  readonly status: 'active' | 'disabled' | 'pending_approval' | 'pending_verification'
  /** Empty without one. */
  readonly avatarUrl: string
}

/** Which users a plugin wants, in the order of their ids. */
interface BasicUserQuery {
  /** Part of a nickname or account, in any case. */
  readonly q?: string | undefined
  readonly ids?: readonly number[] | undefined
  /** Only ids above this one. */
  readonly after?: number | undefined
  readonly limit: number
}

/** What of the platform knows users. */
export interface UsersServices {
  readonly users: {
    find(tenantId: number, id: number): Promise<BasicUser | undefined>
    list(tenantId: number, query: BasicUserQuery): Promise<readonly BasicUser[]>
  }
}

/** The users of a tenant; in a test those that it gives. */
export const users: Provider<UsersServices> = {
  create: ({ services }) => createUsersCapability(services.users),
  fake: ({ given }) => ({ services: { users: listedUsers(given.users ?? []) } }),
}

/** Who the users of the call's tenant are; nothing by which somebody could be written to. */
function createUsersCapability(users: UsersServices['users']): CapabilityOperations {
  async function get(argument: Argument, { tenantId }: CallContext): Promise<unknown> {
    const user = await users.find(tenantId, userIdOf(argument, 'id'))
    return user ? presentUser(user) : null
  }

  async function list(
    argument: Argument,
    { tenantId }: CallContext,
    _signal: AbortSignal,
    room: Room,
  ): Promise<unknown> {
    const limit = optionalIntegerOf(argument, 'limit', 1, maxPage) ?? page
    await room(limit * userBytes)
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
  if (q.length > maxSearch || q.includes('\0')) throw badArgument(`q has at most ${maxSearch} characters`)
  return q
}

function idsOf({ ids }: Argument): readonly number[] | undefined {
  if (ids === undefined || ids === null) return undefined
  if (!Array.isArray(ids) || ids.length > maxPage) throw badArgument(`ids must be a list of at most ${maxPage}`)
  return ids.map((id: unknown) => userIdOf({ ids: id }, 'ids'))
}

function cursorOf(argument: Argument): number | undefined {
  const cursor = optionalTextOf(argument, 'cursor')
  if (cursor === undefined) return undefined
  const after = /^[1-9][0-9]{0,9}$/.test(cursor) ? Number(cursor) : Infinity
  if (after > maxId) throw badArgument('cursor is none of an earlier page')
  return after
}

/** Answers as the platform does, from a list. */
function listedUsers(given: NonNullable<CapabilityGiven['users']>): UsersServices['users'] {
  const all = [...given].sort((left, right) => left.id - right.id)
  return {
    find: (_, id) => Promise.resolve(all.find((user) => user.id === id)),
    list(_, { q = '', ids, after = 0, limit }) {
      const isLike = (text: string | null): boolean => text?.toLowerCase().includes(q.toLowerCase()) ?? false
      const found = all.filter(({ id, nickname, account }) => {
        return id > after && (ids?.includes(id) ?? true) && (isLike(nickname) || isLike(account))
      })
      return Promise.resolve(found.slice(0, limit))
    },
  }
}
