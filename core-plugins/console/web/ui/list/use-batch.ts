import { nextTick, ref, watch } from 'vue'
import { say } from '../../tab/i18n.ts'
import { toast, type Undo } from '../toasts.ts'
import { runBatch, type Failure } from './run-batch.ts'
import type { ListState } from './use-list.ts'

interface BatchOptions<T> {
  /** How many at once. */
  readonly lanes?: number
  /** Whether a record is to be changed; one that is so already is left, and is not taken back. */
  readonly isMeant?: (row: T) => boolean
  /** Makes a record again what it was; without it a batch cannot be taken back. */
  readonly undo?: ((row: T) => Promise<unknown>) | undefined
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
    const { lanes, isMeant = () => true, undo } = options
    const changed = rows.filter(isMeant)
    const failed = await runBatch(changed, change, { ...(lanes && { lanes }), told: (so) => (progress.value = so) })
    progress.value = undefined
    failures.value = failed
    const done = changed.filter((row) => !failed.some((each) => each.row === row))
    if (rows.length > failed.length) {
      const text = say('shell.batchDone', { count: rows.length - failed.length })
      toast(text, undo && done.length > 0 ? undoOf(done, undo) : undefined)
    }
    await list.query.refetch()
  }

  /** Each that could not be taken back is tried again where it is taken back again, and no other. */
  function undoOf(rows: readonly T[], undo: (row: T) => Promise<unknown>): Undo {
    let left = rows
    return async () => {
      const failed = await runBatch(left, undo)
      left = failed.map(({ row }) => row)
      await list.query.refetch()
      if (failed.length > 0) throw failed[0]?.error
    }
  }

  const rowsOf = (ids: ReadonlySet<T['id']>) => [...ids].flatMap((id) => seen.get(id) ?? [])

  return {
    /** Those that are chosen, on whichever page they were. */
    rowsOf,
    /** Changes those that are chosen. */
    async run(ids: ReadonlySet<T['id']>, change: (row: T) => Promise<unknown>, options?: BatchOptions<T>) {
      // What is taken back is what was there before, and not what was shown of it a while ago.
      if (options?.undo) await list.query.refetch().then(() => nextTick())
      await run(rowsOf(ids), change, options)
    },
    progress,
    failures,
    /** Tries those again that could not be changed. */
    retry: async () => again?.(failures.value.map(({ row }) => row as T)),
    /** They have been seen. */
    dismiss: () => (failures.value = []),
  }
}
