import { computed, ref } from 'vue'
import { call } from '../../../api/client.ts'

/** A file that goes with a message. */
export interface ChosenFile {
  readonly key: string
  readonly name: string
  readonly size: number
  id: string | undefined
  fault: unknown
}

/** Files that are sent to the server as they are chosen, before their message is. */
export function useFiles() {
  const files = ref<ChosenFile[]>([])
  const isSending = computed(() => files.value.some(({ id, fault }) => id === undefined && fault === undefined))
  const ids = computed(() => files.value.flatMap(({ id }) => id ?? []))

  function add(chosen: Iterable<File>): void {
    for (const file of chosen) void upload(file)
  }
  async function upload(file: File): Promise<void> {
    const key = crypto.randomUUID()
    files.value.push({ key, name: file.name, size: file.size, id: undefined, fault: undefined })
    const form = new FormData()
    form.append('usage', 'general')
    form.append('file', file)
    const found = () => files.value.find((each) => each.key === key)
    try {
      const { id } = await call<{ readonly id: string }>('POST', '/attachments/upload', { body: form })
      const shown = found()
      if (shown) shown.id = id
    } catch (problem) {
      const shown = found()
      if (shown) shown.fault = problem
    }
  }
  function remove(key: string): void {
    files.value = files.value.filter((each) => each.key !== key)
  }
  function clear(): void {
    files.value = []
  }
  return { files, ids, isSending, add, remove, clear }
}
