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
  readonly hitOf: (row: Record<string, unknown>) => Omit<Hit, 'icon'>
}

const person = (page: string) => (row: Record<string, unknown>) => ({
  ...{ title: String(row['nickname'] || row['email']), hint: String(row['email']) },
  path: `${page}/${String(row['id'])}`,
})

const sources: Readonly<Record<SessionScope, readonly Source[]>> = {
  platform: [
    {
      ...{ name: 'tenants', path: '/admin/tenants', page: '/admin/tenants', icon: 'building' },
      permission: 'platform_tenant:list',
      hitOf: (row) => ({
        ...{ title: String(row['name']), hint: String(row['code']) },
        path: `/admin/tenants/${String(row['id'])}`,
      }),
    },
    {
      ...{ name: 'users', path: '/admin/users', page: '/admin/users', icon: 'user' },
      permission: 'platform_user:list',
      hitOf: person('/admin/users'),
    },
    {
      ...{ name: 'plugins', path: '/admin/plugins', page: '/admin/plugins', icon: 'puzzle' },
      permission: 'platform_plugin:list',
      hitOf: (row) => ({
        ...{ title: String(row['title']), hint: String(row['name']) },
        path: `/admin/plugins/${String(row['name'])}`,
      }),
    },
    {
      ...{ name: 'marketplace', path: '/admin/plugins/marketplace', page: '/admin/marketplace', icon: 'shop' },
      permission: 'marketplace:browse',
      hitOf: (row) => ({
        ...{ title: String(row['title']), hint: String(row['name']) },
        path: `/admin/marketplace/${String(row['name'])}`,
      }),
    },
  ],
  tenant: [
    {
      ...{ name: 'users', path: '/tenant/users', page: '/tenant/users', icon: 'user' },
      permission: 'tenant_user:list',
      hitOf: person('/tenant/users'),
    },
    {
      ...{ name: 'agents', path: '/admin/ai/agents', page: '/tenant/agents', icon: 'bot' },
      permission: 'tenant_agent:list',
      hitOf: (row) => ({
        ...{ title: String(row['name']), hint: String(row['code']) },
        path: `/tenant/agents/${String(row['id'])}`,
      }),
    },
    {
      ...{
        name: 'conversations',
        path: '/ai/agent-chat/conversations',
        page: '/conversations',
        icon: 'message-circle',
      },
      permission: 'user_conversation:list',
      hitOf: (row) => ({ title: String(row['title']), hint: '', path: `/chat/${String(row['id'])}` }),
    },
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
  const page = await call<{ items: Record<string, unknown>[]; total?: number }>('GET', path, { query, signal })
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
