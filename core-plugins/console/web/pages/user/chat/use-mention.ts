import { computed, nextTick, ref, type Ref } from 'vue'
import { useFoundAgents, type Choice } from './use-agents.ts'

/** One of the list that an `@` brings up. */
export interface Suggestion {
  readonly name: string
  readonly hint: string
  readonly choice: Choice
}

const most = 8
/** What is typed of a name, after an `@` that begins a word. */
const mark = /(?:^|\s)@([^\s@]{0,40})$/u

/** Lets the writer of a text choose an agent by `@`. */
export function useMention(
  text: Ref<string>,
  input: Readonly<Ref<HTMLTextAreaElement | null>>,
  /** What stands for whichever agent fits; nothing while none can be chosen. */
  fitting: () => Suggestion | undefined,
  choose: (choice: Choice) => void,
) {
  const { words, query } = useFoundAgents(most)
  const place = ref(0)
  /** Where the `@` stands that its writer did not mean. */
  let dismissed = -1
  const suggestions = computed<readonly Suggestion[]>(() => {
    const said = words.value
    if (said === undefined) return []
    const any = fitting()
    const isMeant = (name: string) => name.toLowerCase().includes(said.toLowerCase())
    // Until those that fit are there, those of them that are.
    const items = (query.data.value?.items ?? []).filter(({ name }) => !query.isPlaceholderData.value || isMeant(name))
    const agents = items.map((agent) => ({ name: agent.name, hint: agent.description, choice: agent }))
    return any && isMeant(any.name) ? [...agents, any] : agents
  })
  const isOpen = computed(() => suggestions.value.length > 0)
  const active = computed(() => Math.min(place.value, suggestions.value.length - 1))

  /** Looks whether a name is being typed where the caret is; never while it is composed. */
  function look(event?: Event): void {
    if (event instanceof InputEvent && event.isComposing) return
    const area = input.value
    const found = fitting() && area ? mark.exec(area.value.slice(0, area.selectionStart)) : null
    const at = found && area ? area.selectionStart - (found[1]?.length ?? 0) - 1 : -1
    if (at !== dismissed) dismissed = -1
    const said = found && at !== dismissed ? found[1] : undefined
    if (said !== words.value) place.value = 0
    words.value = said
  }
  function shut(): void {
    words.value = undefined
  }
  function pick({ choice }: Suggestion): void {
    const area = input.value
    if (!area) return
    const end = area.selectionStart
    const begin = end - (words.value?.length ?? 0) - 1
    shut()
    choose(choice)
    text.value = area.value.slice(0, begin) + area.value.slice(end).replace(/^\s/, '')
    void nextTick(() => {
      area.focus()
      area.setSelectionRange(begin, begin)
    })
  }
  /** Whether a key was meant for the list. */
  function take(event: KeyboardEvent): boolean {
    if (!isOpen.value || event.isComposing || event.keyCode === 229) return false
    const { length } = suggestions.value
    const chosen = suggestions.value[active.value]
    if (event.key === 'ArrowDown') place.value = (active.value + 1) % length
    else if (event.key === 'ArrowUp') place.value = (active.value + length - 1) % length
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey) pick(chosen)
    else if (event.key === 'Escape') {
      dismissed = (input.value?.selectionStart ?? 0) - (words.value?.length ?? 0) - 1
      shut()
    } else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return { suggestions, isOpen, active, look, shut, pick, take }
}
