import { computed, type Ref } from 'vue'
import type { Shown, ShownFile } from './shown.ts'
import type { Choice } from './use-agents.ts'
import type { useThread } from './use-thread.ts'

/** Asks in a thread, or whoever was chosen for a new one; what is refused is kept as the thread's error. */
export function useAsking(
  thread: ReturnType<typeof useThread>,
  choice: Readonly<Ref<Choice | undefined>>,
  /** Is told that an answer will come at the end. */
  onAsking: () => void,
) {
  const { conversation, error } = thread
  /** Whom a question goes to, nobody where that is found out: a conversation stays with its agent, also where that is none of those offered. */
  const asked = computed(() => conversation.value?.agent ?? (choice.value === 'fitting' ? undefined : choice.value))
  const canAsk = computed(() => asked.value !== undefined || choice.value === 'fitting')

  /** Does something that an answer comes of. */
  async function tell(work: () => Promise<unknown>) {
    try {
      await work()
    } catch (problem) {
      error.value = problem
    }
  }
  /** Whether it was taken. */
  async function put(text: string, files: readonly ShownFile[] = [], parent?: string | null): Promise<boolean> {
    if (!canAsk.value) return false
    const to = asked.value?.id
    onAsking()
    let isTaken = false
    await tell(async () => {
      isTaken = await thread.put(to, text, { files, ...(parent !== undefined && { parent }) })
    })
    return isTaken
  }
  function again(answer: Shown) {
    const to = asked.value
    if (to) return tell(() => thread.regenerate(to.id, answer))
  }
  function decide(answer: Shown, decision: 'allow' | 'refuse') {
    const to = asked.value
    if (to) return tell(() => thread.decide(to.id, answer, decision))
  }
  return { asked, canAsk, tell, put, again, decide }
}
