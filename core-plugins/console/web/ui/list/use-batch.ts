import { ref, watch } from 'vue'
import { say } from '../../tab/i18n.ts'
import { toast } from '../toasts.ts'
import type { ListState } from './use-list.ts'

/** A record that could not be changed, and why. */
export interface BatchFailure<T> {
  readonly row: T
  readonly error: unknown
}

const lanes = 4

/** Changes many records, a few at a time; those that could not be changed are kept with the reason, to be seen and tried again. */
export function useBatch<T extends { readonly id: number }>(list: ListState<T>) {
  const progress = ref<{ readonly done: number; readonly all: number }>()
  const failures = ref<readonly BatchFailure<T>[]>([])
  let again: ((rows: readonly T[]) => Promise<void>) | undefined
  // Some may have been chosen on an earlier page.
  const seen = new Map<number, T>()
  watch(
    () => list.query.data.value?.items,
    (items) => items?.forEach((row) => seen.set(row.id, row)),
    { immediate: true },
  )

  async function run(rows: readonly T[], change: (row: T) => Promise<unknown>): Promise<void> {
    again = (some) => run(some, change)
    const failed: BatchFailure<T>[] = []
    const left = [...rows]
    progress.value = { done: 0, all: rows.length }
    const work = async () => {
      for (let row = left.shift(); row !== undefined; row = left.shift()) {
        const one = row
        await change(one).catch((error: unknown) => failed.push({ row: one, error }))
        progress.value = { done: rows.length - left.length, all: rows.length }
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
    progress.value = undefined
    failures.value = failed
    if (rows.length > failed.length) toast(say('shell.batchDone', { count: rows.length - failed.length }))
    await list.query.refetch()
  }

  return {
    /** Changes those that are chosen. */
    run: (ids: ReadonlySet<number>, change: (row: T) => Promise<unknown>) =>
      run(
        [...ids].flatMap((id) => seen.get(id) ?? []),
        change,
      ),
    progress,
    failures,
    /** Tries those again that could not be changed. */
    retry: async () => again?.(failures.value.map(({ row }) => row as T)),
    /** They have been seen. */
    dismiss: () => (failures.value = []),
  }
}
