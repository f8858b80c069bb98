import { computed, ref } from 'vue'

/** Which of many parts of a page have changes, as each of them tells. */
export function useDirtyParts() {
  const dirty = ref<ReadonlySet<string>>(new Set())
  const isDirty = computed(() => dirty.value.size > 0)
  function note(part: string, is: boolean): void {
    const next = new Set(dirty.value)
    if (is) next.add(part)
    else next.delete(part)
    dirty.value = next
  }
  return { isDirty, note }
}
