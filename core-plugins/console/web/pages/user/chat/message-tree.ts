import { computed, reactive, ref } from 'vue'
import { emptyMessage, type Shown, type ShownTool } from './shown.ts'

/** A message and its place among those that stand at the same one, from 1. */
export interface Placed {
  readonly message: Shown
  /** Its calls of tools; one that was decided on is shown with the answer that goes on from there. */
  readonly tools: readonly ShownTool[]
  readonly place: number
  readonly others: readonly string[]
}

function callsOf({ role, tools }: Shown, next: Shown | undefined): readonly ShownTool[] {
  if (role !== 'assistant' || next?.role !== role) return tools
  const decided = new Set(next.tools.map(({ id }) => id))
  return tools.filter(({ id }) => !decided.has(id))
}

/** The messages of a conversation, of which one branch is shown. */
export function useMessageTree() {
  const all = reactive(new Map<string, Shown>())
  const leaf = ref<string>()

  const path = computed<readonly Placed[]>(() => {
    const found: Placed[] = []
    for (let at = all.get(leaf.value ?? ''); at; at = all.get(at.parentId ?? '')) {
      const others = childrenOf(at.parentId)
        .filter(({ role }) => role === at?.role)
        .map(({ id }) => id)
      found.unshift({ message: at, tools: callsOf(at, found[0]?.message), place: others.indexOf(at.id) + 1, others })
    }
    return found
  })

  function childrenOf(parent: string | null): readonly Shown[] {
    // One whose parent was not read yet is the first that is shown.
    return [...all.values()].filter(({ parentId }) => parentId === parent)
  }
  /** Shows the branch of a message, to its latest end. */
  function choose(id: string): void {
    let at = id
    for (let next = childrenOf(at).at(-1); next; next = childrenOf(at).at(-1)) at = next.id
    leaf.value = at
  }
  function add(message: Shown): Shown {
    all.set(message.id, message)
    leaf.value = message.id
    return all.get(message.id) ?? message
  }
  /** Calls the message that was added last what the server calls it, so that it can be named there. */
  function rename(from: string, to: string): void {
    const message = all.get(from)
    if (!message) return
    all.delete(from)
    add({ ...message, id: to })
  }
  /** Puts the latest messages of the server in the place of those shown; the branch stays. Whether earlier ones that lead to them stay too. */
  function replace(messages: readonly Shown[], at: string | undefined): boolean {
    const before = [...all.values()]
    const first = before.findIndex(({ id }) => id === messages[0]?.id)
    const kept = before.slice(0, Math.max(0, first))
    all.clear()
    for (const message of [...kept, ...messages]) all.set(message.id, message)
    leaf.value = at !== undefined && all.has(at) ? at : messages.at(-1)?.id
    return kept.length > 0
  }
  function prepend(messages: readonly Shown[]): void {
    const later = [...all.values()]
    all.clear()
    for (const message of [...messages, ...later]) all.set(message.id, message)
  }
  /** The answer with an id, which begins now or goes on. */
  function answer(id: string, parentId: string | null): Shown {
    return all.get(id) ?? add(emptyMessage(id, parentId, 'assistant'))
  }
  function clear(): void {
    all.clear()
    leaf.value = undefined
  }
  return { all, leaf, path, choose, add, rename, replace, prepend, answer, clear }
}
