import { computed, ref, shallowRef } from 'vue'
import { useQuery } from '@tanstack/vue-query'
import { agentsPath, findAgent, findAgents, type Agent } from '../../../api/agents.ts'
import { preferenceOf } from '../../../api/me.ts'

/** Who answers a new conversation: an agent, or whichever fits its first question. */
export type Choice = Agent | 'fitting'

const size = 50

/** Whom the reader may ask, and who of them answers a new conversation: whoever was chosen for it, or else for all of them, or else the first. */
export function useAgents() {
  const listed = useQuery({ queryKey: [agentsPath], queryFn: ({ signal }) => findAgents('', size, signal) })
  const wanted = computed(() => preferenceOf<string | null>('default_agent_id', null))
  const near = computed(() => listed.data.value?.items.find(({ id }) => id === wanted.value))
  // It may be far down the list: it is asked for beside that.
  const one = useQuery({
    queryKey: computed(() => [agentsPath, 'one', wanted.value]),
    enabled: computed(() => wanted.value !== null),
    queryFn: ({ signal }) => findAgent(wanted.value ?? '', signal),
  })
  const chosen = shallowRef<Choice>()
  // Where the one that is wanted takes its time, or is gone, the first may be asked.
  const choice = computed(
    () =>
      chosen.value ?? near.value ?? (wanted.value === null ? undefined : one.data.value) ?? listed.data.value?.items[0],
  )
  return {
    choice,
    agents: computed(() => listed.data.value?.items ?? []),
    total: computed(() => listed.data.value?.total ?? 0),
    error: computed(() => listed.error.value),
    /** Whether there is nobody to ask. */
    isNone: computed(() => listed.data.value?.items.length === 0),
    choose: (wish: Choice | undefined) => (chosen.value = wish),
  }
}

/** Agents that words fit, as somebody types them; none are read without words. */
export function useFoundAgents(most: number) {
  const words = ref<string>()
  const query = useQuery({
    queryKey: computed(() => [agentsPath, 'find', most, words.value]),
    enabled: computed(() => words.value !== undefined),
    queryFn: ({ signal }) => findAgents(words.value ?? '', most, signal),
    placeholderData: (before) => before,
  })
  return { words, query }
}
