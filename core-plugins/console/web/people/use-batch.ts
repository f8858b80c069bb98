import { ref } from 'vue'
import { call } from '../api/client.ts'
import { say } from '../tab/i18n.ts'
import type { ListState } from '../ui/list/use-list.ts'
import { toast } from '../ui/toasts.ts'

const lanes = 4

/** Changes many records, a few at a time, and says how many could not be. */
export function useBatch<T>(list: ListState<T>) {
  const progress = ref<{ readonly done: number; readonly all: number }>()

  async function run(ids: readonly number[], path: string, body: unknown): Promise<readonly number[]> {
    const failed: number[] = []
    const left = [...ids]
    progress.value = { done: 0, all: ids.length }
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        await call('PUT', `${path}/${id}`, { body }).catch(() => failed.push(id))
        progress.value = { done: ids.length - left.length, all: ids.length }
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))
    progress.value = undefined
    toast(
      say(failed.length > 0 ? 'people.batchFailed' : 'people.batchDone', {
        done: ids.length - failed.length,
        failed: failed.length,
      }),
    )
    await list.query.refetch()
    return failed
  }

  return { run, progress }
}
