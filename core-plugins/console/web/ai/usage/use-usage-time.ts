import { computed } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { readerZone } from '../../api/me.ts'
import { dayAt } from '../../ui/chart/days.ts'
import { daysBetween, parted, periodOf, thisMonth } from '../../ui/chart/period.ts'
import { useShownTime } from '../../ui/chart/shown-time.ts'
import { timeBefore } from '../../ui/chart/time-before.ts'

/** Which times are offered: some last days, this month, or two days that are chosen. */
export const ranges = ['1', '7', '30', '90', 'month', 'custom'] as const

const usual = '30'
/** While a year is typed, a date field has the years of its first digits. */
const isDay = /^2\d{3}-\d{2}-\d{2}$/

/** The time that usage is looked at, as the address of the page has it, and whether with the time before. A part of it that charts show alone is a time that was chosen. */
export function useUsageTime() {
  const route = useRoute()
  const router = useRouter()
  const zone = readerZone()
  const { shown } = useShownTime()
  const ask = (query: Readonly<Record<string, string | undefined>>) =>
    void router.push({ query: { ...route.query, ...query } })
  const range = computed({
    get: () => (shown.value ? 'custom' : (ranges.find((value) => value === route.query['days']) ?? usual)),
    set: (value: string) => {
      const days = value === usual ? undefined : value
      ask({ days, zoom: undefined, ...(value !== 'custom' && { from: undefined, to: undefined }) })
    },
  })
  const day = (name: 'from' | 'to', otherwise: () => string) =>
    computed({
      get: () => {
        if (shown.value) return dayAt(Date.parse(shown.value[name]) - (name === 'to' ? 1 : 0), zone)
        const given = route.query[name]
        return typeof given === 'string' && isDay.test(given) && !Number.isNaN(Date.parse(given)) ? given : otherwise()
      },
      set: (value) => {
        const both = shown.value && { days: 'custom', zoom: undefined, from: first.value, to: last.value }
        if (isDay.test(value)) ask({ ...both, [name]: value })
      },
    })
  const last = day('to', () => dayAt(Date.now(), zone))
  const first = day('from', () => dayAt(Date.parse(`${last.value}T12:00:00Z`) - 6 * 86_400_000, 'UTC'))
  const isCompared = computed({
    get: () => route.query['compare'] === '1',
    set: (value) => ask({ compare: value ? '1' : undefined }),
  })
  const period = computed(() => {
    if (shown.value) return parted(shown.value, zone)
    if (range.value === 'custom') return daysBetween(first.value, last.value, zone)
    return range.value === 'month' ? thisMonth(zone) : periodOf(Number(range.value), zone)
  })
  const before = computed(() => timeBefore(period.value))
  return { zone, range, first, last, isCompared, period, before }
}
