import { ref, watch } from 'vue'
import { say } from '../../tab/i18n.ts'
import { toast } from '../toasts.ts'
import { runBatch, type Failure } from './run-batch.ts'
import type { ListState } from './use-list.ts'

interface BatchOptions<T> {
  /** How many at once. */
  readonly lanes?: number
  /** Makes a record again what it was; without it a batch cannot be taken back. */
  readonly undo?: (row: T) => Promise<unknown>
}

/** Changes many records, a few at a time; those that could not be changed are kept with the reason, to be seen and tried again. */
export function useBatch<T extends { readonly id: number | string }>(list: ListState<T>) {
  const progress = ref<{ readonly done: number; readonly all: number }>()
  const failures = ref<readonly Failure<T>[]>([])
  let again: ((rows: readonly T[]) => Promise<void>) | undefined
  // Some may have been chosen on an earlier page.
  const seen = new Map<T['id'], T>()
  watch(
    () => list.query.data.value?.items,
    (items) => items?.forEach((row) => seen.set(row.id, row)),
    { immediate: true },
  )

  async function run(
    rows: readonly T[],
    change: (row: T) => Promise<unknown>,
    options: BatchOptions<T> = {},
  ): Promise<void> {
    again = (some) => run(some, change, options)
    const { lanes, undo } = options
    const failed = await runBatch(rows, change, { ...(lanes && { lanes }), told: (so) => (progress.value = so) })
    progress.value = undefined
    failures.value = failed
    const done = rows.filter((row) => !failed.some((each) => each.row === row))
    if (done.length > 0) {
      toast(say('shell.batchDone', { count: done.length }), undo && (() => takeBack(done, undo)))
    }
    await list.query.refetch()
  }

  async function takeBack(rows: readonly T[], undo: (row: T) => Promise<unknown>): Promise<void> {
    const failed = await runBatch(rows, undo)
    failures.value = failed
    again = (some) => takeBack(some, undo)
    await list.query.refetch()
    if (failed.length === rows.length) throw failed[0]?.error
  }

  const rowsOf = (ids: ReadonlySet<T['id']>) => [...ids].flatMap((id) => seen.get(id) ?? [])

  return {
    /** Those that are chosen, on whichever page they were. */
    rowsOf,
    /** Changes those that are chosen. */
    run: (ids: ReadonlySet<T['id']>, change: (row: T) => Promise<unknown>, options?: BatchOptions<T>) =>
      run(rowsOf(ids), change, options),
    progress,
    failures,
    /** Tries those again that could not be changed. */
    retry: async () => again?.(failures.value.map(({ row }) => row as T)),
    /** They have been seen. */
    dismiss: () => (failures.value = []),
  }
}
