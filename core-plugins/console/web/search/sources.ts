import type { AgentRowBody } from '../../../agents/wire.ts'
import type { ConversationBody } from '../../../chat/wire.ts'
import type { OfferBody } from '../../../plugin-index/wire.ts'
import type { PluginRowBody } from '../../../plugins/wire.ts'
import type { TenantBody } from '../../../tenants/wire.ts'
import type { UserBody } from '../../../users/wire.ts'
import { call } from '../api/client.ts'
import type { Menu } from '../api/me.ts'
import { session } from '../session/session.ts'
import type { SessionScope } from '../tab/hint.ts'
import type { IconName } from '../ui/icons.ts'

/** Something that was found, and where it is. */
export interface Hit {
  readonly title: string
  readonly hint: string
  readonly path: string
  readonly icon: string | null
}

/** A kind of records that are searched. */
export interface Source {
  /** The key of its title. */
  readonly name: 'tenants' | 'users' | 'plugins' | 'marketplace' | 'agents' | 'conversations'
  readonly path: string
  /** The page with all of them. */
  readonly page: string
  readonly permission: string
  readonly icon: IconName
  readonly hitOf: (row: never) => Found
}
type Found = Omit<Hit, 'icon'>

function source<T>(facts: Omit<Source, 'hitOf'>, hitOf: (row: T) => Found): Source {
  return { ...facts, hitOf: (row: never) => hitOf(row) }
}
const person =
  (page: string) =>
  ({ id, nickname, email }: UserBody): Found => ({
    title: nickname || (email ?? ''),
    hint: email ?? '',
    path: `${page}/${id}`,
  })

const sources: Readonly<Record<SessionScope, readonly Source[]>> = {
  platform: [
    source<TenantBody>(
      {
        ...{ name: 'tenants', path: '/admin/tenants', page: '/admin/tenants', icon: 'building' },
        permission: 'platform_tenant:list',
      },
      ({ id, name, code }) => ({ title: name, hint: code, path: `/admin/tenants/${id}` }),
    ),
    source(
      {
        ...{ name: 'users', path: '/admin/users', page: '/admin/users', icon: 'user' },
        permission: 'platform_user:list',
      },
      person('/admin/users'),
    ),
    source<PluginRowBody>(
      {
        ...{ name: 'plugins', path: '/admin/plugins', page: '/admin/plugins', icon: 'puzzle' },
        permission: 'platform_plugin:list',
      },
      ({ name, title }) => ({ title, hint: name, path: `/admin/plugins/${name}` }),
    ),
    source<OfferBody>(
      {
        ...{ name: 'marketplace', path: '/admin/plugins/marketplace', page: '/admin/marketplace', icon: 'shop' },
        permission: 'marketplace:browse',
      },
      ({ name, title }) => ({ title, hint: name, path: `/admin/marketplace/${name}` }),
    ),
  ],
  tenant: [
    source(
      {
        ...{ name: 'users', path: '/tenant/users', page: '/tenant/users', icon: 'user' },
        permission: 'tenant_user:list',
      },
      person('/tenant/users'),
    ),
    source<AgentRowBody>(
      {
        ...{ name: 'agents', path: '/admin/ai/agents', page: '/tenant/agents', icon: 'bot' },
        permission: 'tenant_agent:list',
      },
      ({ id, name, code }) => ({ title: name, hint: code, path: `/tenant/agents/${id}` }),
    ),
    source<ConversationBody>(
      {
        ...{ name: 'conversations', path: '/ai/agent-chat/conversations', page: '/conversations' },
        icon: 'message-circle',
        permission: 'user_conversation:list',
      },
      ({ id, title }) => ({ title, hint: '', path: `/chat/${id}` }),
    ),
  ],
}

/** What the caller may search. */
export function searchable(): readonly Source[] {
  return sources[session.state.scope ?? 'tenant'].filter(({ permission }) => session.can(permission))
}

/** The first records of a source with some words in them, and how many there are. */
export async function searchIn(
  { path, icon, hitOf }: Source,
  words: string,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly hits: readonly Hit[]; readonly total: number }> {
  const query = { q: words, page_size: most }
  const page = await call<{ readonly items: readonly never[]; readonly total?: number }>('GET', path, { query, signal })
  return { hits: page.items.map((row) => ({ ...hitOf(row), icon })), total: page.total ?? page.items.length }
}

/** Pages of the menu with some words in what they are called. */
export function pagesWith(entries: readonly Menu[], words: string): readonly Hit[] {
  const wanted = words.trim().toLowerCase()
  return flatten(entries).filter(({ title, hint }) => `${title} ${hint}`.toLowerCase().includes(wanted))
}

function flatten(entries: readonly Menu[]): readonly Hit[] {
  return entries.flatMap((entry) =>
    entry.children.length > 0
      ? flatten(entry.children)
      : [{ title: entry.title, hint: entry.name, path: entry.path ?? '/', icon: entry.icon }],
  )
}
