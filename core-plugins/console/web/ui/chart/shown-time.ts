import { computed, type ComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Part } from './bar.ts'

/** A time from one moment to another, ISO 8601. */
export interface Stretch {
  readonly from: string
  readonly to: string
}

/** The time that the charts of a page show alone, which its address has; undefined where they show all that they have. */
export function useShownTime() {
  const route = useRoute()
  const router = useRouter()
  const shown = computed(() => stretchOf(route.query['zoom']))
  function show(stretch: Stretch | undefined): void {
    void router.push({ query: { ...route.query, zoom: stretch && `${stretch.from}..${stretch.to}` } })
  }
  return { shown, show }
}

/** Which parts of a chart are shown: all, where none of its own begins or ends with what the others show. */
export function useShownParts(
  parts: () => readonly Part[],
): ComputedRef<{ readonly first: number; readonly next: number }> {
  const { shown } = useShownTime()
  return computed(() => placesOf(shown.value, parts()) ?? { first: 0, next: parts().length })
}

/** Where the parts stand that a time is made of, and what stands after them. */
export function placesOf(
  stretch: Stretch | undefined,
  parts: readonly Part[],
): { readonly first: number; readonly next: number } | undefined {
  if (!stretch) return undefined
  const [from, to] = [Date.parse(stretch.from), Date.parse(stretch.to)]
  const first = parts.findIndex((part) => Date.parse(part.from) === from)
  const last = parts.findIndex((part) => Date.parse(part.to) === to)
  return first < 0 || last < first ? undefined : { first, next: last + 1 }
}

function stretchOf(told: unknown): Stretch | undefined {
  const [from = '', to = ''] = typeof told === 'string' ? told.split('..') : []
  return Date.parse(from) < Date.parse(to) ? { from, to } : undefined
}
