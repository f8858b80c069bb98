import { computed, onScopeDispose, shallowRef, watch, type ComputedRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import { useQuery } from '@tanstack/vue-query'
import { currentLocale } from '../../tab/i18n.ts'
import type { RecordParameter } from '../record-parameters.ts'

/** Where records are that can be opened. */
interface RecordSource<T> {
  /** Under which what was read of them is kept, and made old by events. */
  readonly path: string
  /** Those that are loaded. */
  readonly rows: () => readonly T[]
  /** One that is not loaded, by what the address calls it; undefined where there is none. */
  readonly read: (key: string, signal: AbortSignal) => Promise<T | undefined>
  /** What the address calls a record: its id, unless said otherwise. */
  readonly keyOf?: (row: T) => string
  /** The parameter of the address. */
  readonly name?: RecordParameter
}

/** The record whose dialogue is open, if any. */
export interface OpenRecord<T> {
  readonly record: ComputedRef<T | undefined>
  /** The address names one, and there is none. */
  readonly isMissing: ComputedRef<boolean>
  /** Why it could not be read. */
  readonly error: ComputedRef<unknown>
  open(row: T): void
  close(): void
}

/** Keeps in the address which record is open, so that it can be linked and loaded anew, and Back closes it. */
export function useOpenRecord<T extends { readonly id: number | string }>({
  path,
  rows,
  read,
  keyOf = ({ id }) => String(id),
  name = 'entry',
}: RecordSource<T>): OpenRecord<T> {
  const route = useRoute()
  const router = useRouter()
  const key = computed(() => {
    const value = route.query[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  })
  const loaded = computed(() => rows().find((row) => keyOf(row) === key.value))
  const query = useQuery({
    queryKey: computed(() => [path, name, key.value, currentLocale()]),
    enabled: () => key.value !== undefined && loaded.value === undefined,
    queryFn: async ({ signal }) => (await read(key.value ?? '', signal)) ?? null,
  })
  /** It stays the one that is open while the list that it was opened from shows other rows. */
  const last = shallowRef<T>()
  const found = computed(() => (key.value === undefined ? undefined : (loaded.value ?? query.data.value ?? undefined)))
  watch(found, (row) => row && (last.value = row), { immediate: true })
  const record = computed(() => {
    if (key.value === undefined) return undefined
    return found.value ?? (last.value && keyOf(last.value) === key.value ? last.value : undefined)
  })
  const isUnknown = computed(() => key.value !== undefined && record.value === undefined)

  function addressWith(value: string | undefined) {
    return router.resolve({ path: route.path, query: { ...route.query, [name]: value }, hash: route.hash }).fullPath
  }
  /** What is asked for twice goes back once. */
  let isClosing = false
  onScopeDispose(router.afterEach(() => void (isClosing = false)))
  function close() {
    if (isClosing) return
    isClosing = true
    const bare = addressWith(undefined)
    const { back } = history.state as { readonly back?: unknown }
    // Opened from there it is an entry of the history, which goes with it.
    if (back === bare) router.back()
    else void router.replace(bare)
  }
  return {
    record,
    isMissing: computed(() => isUnknown.value && query.data.value === null),
    error: computed(() => (isUnknown.value ? query.error.value : null)),
    open: (row) => void router.push(addressWith(keyOf(row))),
    close,
  }
}
