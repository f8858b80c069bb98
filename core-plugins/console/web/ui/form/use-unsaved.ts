import { onMounted, onUnmounted, toValue, type MaybeRefOrGetter } from 'vue'

const dirty = new Set<() => boolean>()

/** Whether anything of the page has changes that are lost when it is loaded anew. */
export function isUnsaved(): boolean {
  return [...dirty].some((ask) => ask())
}

/** Has the browser ask before the page goes while something in it has changes. */
export function useUnsaved(isDirty: MaybeRefOrGetter<boolean>): void {
  const ask = () => toValue(isDirty)
  const warn = (event: BeforeUnloadEvent) => {
    if (ask()) event.preventDefault()
  }
  onMounted(() => {
    dirty.add(ask)
    window.addEventListener('beforeunload', warn)
  })
  onUnmounted(() => {
    dirty.delete(ask)
    window.removeEventListener('beforeunload', warn)
  })
}
