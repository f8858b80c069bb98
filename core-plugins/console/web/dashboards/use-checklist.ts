import { computed } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { call } from '../api/client.ts'
import { session } from '../session/session.ts'

/** Something that a tenant does first. */
interface Step {
  readonly name: 'brand' | 'people' | 'agent' | 'plugin' | 'ask'
  readonly path: string
  /** What one must hold to do it. */
  readonly permission: string
  /** Where it is read whether it was done, by whoever holds this. */
  readonly read: {
    readonly path: string
    readonly permission: string
    readonly query?: Readonly<Record<string, string | number | boolean>>
    readonly isDone: (answer: never) => boolean
  }
}
interface Counted {
  readonly total: number
}

const hasAny = ({ total }: Counted) => total > 0

const steps: readonly Step[] = [
  {
    ...{ name: 'brand', path: '/tenant/settings/tenant_basic', permission: 'tenant_config:groups' },
    read: {
      ...{ path: '/tenant/configs/groups/tenant_basic', permission: 'tenant_config:detail' },
      isDone: ({ items }: { readonly items: readonly { readonly source: string }[] }) =>
        items.some(({ source }) => source === 'tenant'),
    },
  },
  {
    ...{ name: 'people', path: '/tenant/users', permission: 'tenant_user:create' },
    // Beside whoever began.
    read: {
      ...{ path: '/tenant/users', permission: 'tenant_user:list', query: { page_size: 10, counts: true } },
      isDone: ({ total }: Counted) => total > 1,
    },
  },
  {
    ...{ name: 'agent', path: '/tenant/agents', permission: 'tenant_agent:publish' },
    read: {
      ...{ path: '/admin/ai/agents', permission: 'tenant_agent:list', query: { status: 'published', page_size: 1 } },
      isDone: hasAny,
    },
  },
  {
    ...{ name: 'plugin', path: '/tenant/plugins', permission: 'tenant_plugin:enable' },
    // Those of the platform run for every tenant: nobody there enabled them.
    read: {
      ...{ path: '/tenant/plugins', permission: 'tenant_plugin:list' },
      query: { enabled: true, scope: 'tenant', page_size: 1 },
      isDone: hasAny,
    },
  },
  {
    ...{ name: 'ask', path: '/chat', permission: 'user_agent:chat' },
    // Everybody's own: what others asked is nobody else's to know.
    read: {
      ...{ path: '/ai/agent-chat/conversations', permission: 'user_conversation:list', query: { page_size: 1 } },
      isDone: hasAny,
    },
  },
]

/** What a tenant does first, as far as its reader may, and what of it was done: whether an agent was asked by the reader, all else by whomever. */
export function useChecklist() {
  const mine = steps.filter(({ permission }) => session.can(permission))
  const asked = mine.map((step) => ({ ...step, ...useDone(step) }))
  return computed(() => asked.map(({ name, path, done }) => ({ name, path, isDone: done.data.value })))
}

function useDone({ read: { path, query = {}, permission, isDone } }: Step) {
  const done = useQuery({
    // As whoever else on this page asks has it.
    queryKey: [path, query],
    enabled: session.can(permission),
    queryFn: ({ signal }) => call('GET', path, { query, signal }),
    select: (answer: unknown) => isDone(answer as never),
  })
  return { done }
}
