import { computed } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { siteFacts } from '../api/public.ts'
import { siteLooks } from './site-looks.ts'

/** What is known of the site before anybody signs in; asked once for all pages without a session. */
export function useSite() {
  const query = useQuery({ queryKey: ['public'], queryFn: siteFacts, staleTime: 60_000 })
  const site = computed(() => query.data.value)
  const tenant = computed(() => site.value?.tenant)
  const looks = computed(() => site.value && siteLooks(site.value))
  /** What a new password has to be here. */
  const demands = computed(() => {
    const facts = tenant.value ?? site.value?.platform
    return { least: facts?.password_min_length ?? 12, complexity: facts?.password_complexity ?? 'none' } as const
  })
  return { query, site, tenant, looks, demands }
}
