import { computed, onScopeDispose, ref } from 'vue'
import { endUpload, uploadFile, type UploadMemory } from '../../../files/upload-file.ts'

/** A file that goes with a message. */
export interface ChosenFile {
  readonly key: string
  readonly name: string
  readonly size: number
  id: string | undefined
  /** How much of it has gone, of one. */
  part: number
  fault: unknown
}

/** Files that are sent to the server as they are chosen, before their message is. */
export function useFiles() {
  const files = ref<ChosenFile[]>([])
  const isSending = computed(() => files.value.some(({ id, fault }) => id === undefined && fault === undefined))
  const ids = computed(() => files.value.flatMap(({ id }) => id ?? []))
  const running = new Map<string, { readonly controller: AbortController; readonly memory: UploadMemory }>()
  onScopeDispose(() => {
    for (const key of [...running.keys()]) giveUp(key)
  })

  function add(chosen: Iterable<File>): void {
    for (const file of chosen) void upload(file)
  }
  async function upload(file: File): Promise<void> {
    const key = crypto.randomUUID()
    const controller = new AbortController()
    const memory: UploadMemory = {}
    running.set(key, { controller, memory })
    files.value.push({ key, name: file.name, size: file.size, id: undefined, part: 0, fault: undefined })
    const change = (now: Partial<ChosenFile>) => Object.assign(files.value.find((each) => each.key === key) ?? {}, now)
    const { signal } = controller
    try {
      const { id } = await uploadFile(file, {
        ...{ signal, memory },
        tell: ({ stage, done }) => stage === 'sending' && change({ part: done / Math.max(1, file.size) }),
      })
      change({ id })
    } catch (fault) {
      if (!signal.aborted) change({ fault })
    }
    running.delete(key)
  }
  function giveUp(key: string): void {
    const found = running.get(key)
    running.delete(key)
    found?.controller.abort()
    if (found) void endUpload(found.memory)
  }
  function remove(key: string): void {
    giveUp(key)
    files.value = files.value.filter((each) => each.key !== key)
  }
  function clear(): void {
    files.value = []
  }
  return { files, ids, isSending, add, remove, clear }
}
