import { reactive } from 'vue'
import { readRouted, type Routed } from '../../../api/chat.ts'

/** Which agents were found for the questions of a conversation, by the messages that answer those. */
export function useRouted() {
  const found = reactive(new Map<string, Routed>())

  /** It is kept beside the messages; a thread without it is whole all the same. */
  async function read(conversation: string, signal: AbortSignal): Promise<void> {
    const first = await readRouted(conversation, signal).catch(() => undefined)
    if (first && !signal.aborted) found.set(first.message, first.routed)
  }
  return { found, read }
}
