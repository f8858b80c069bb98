import { computed, type MaybeRefOrGetter, toValue } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import type { TrendsBody } from '../../../ai-ledger/wire.ts'
import { call } from '../api/client.ts'
import { readerZone } from '../api/me.ts'
import { session } from '../session/session.ts'
import { periodOf } from '../ui/chart/period.ts'

const days = 30
const metrics = ['cost', 'requests', 'ttft_p50_ms', 'ttft_p95_ms'] as const
const path = '/admin/ai/usage'

/** What AI did on each of the last days, of one tenant or of all that the reader may see: cards that ask for the same share the answer. */
export function useAiTrends(permission: MaybeRefOrGetter<string>, tenant: MaybeRefOrGetter<number | undefined>) {
  const zone = readerZone()
  const mayRead = computed(() => session.can(toValue(permission)))
  const trends = useQuery({
    queryKey: computed(() => [path, 'trends', days, toValue(tenant) ?? null]),
    queryFn: ({ signal }) =>
      call<TrendsBody>('GET', `${path}/trends`, {
        query: { ...periodOf(days, zone), metrics: metrics.join(','), tenant_id: toValue(tenant) },
        signal,
      }),
    enabled: mayRead,
  })
  return { days, metrics, zone, mayRead, trends }
}
