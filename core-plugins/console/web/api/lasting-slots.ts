import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue'
import type { SlotEntry } from './slots.ts'

/** An entry of a plugin that is shown. */
export interface LastingSlot {
  readonly key: string
  readonly entry: SlotEntry
  /** It is there no more, and its page is told so: it ends what it does. */
  readonly isEnding: boolean
}

/** So long a page has to end what it does: half a second, and a little for the word to come to it. */
const endMilliseconds = 600

/** Entries, and for a moment those that are there no more, each in its place: a page is told before its frame goes. */
export function useLastingSlots(found: () => readonly SlotEntry[]): Readonly<ShallowRef<readonly LastingSlot[]>> {
  const shown = shallowRef<readonly LastingSlot[]>([])
  const timers = new Set<ReturnType<typeof setTimeout>>()

  function endLater() {
    const timer = setTimeout(() => {
      timers.delete(timer)
      const there = new Set(found().map(keyOf))
      shown.value = shown.value.filter(({ key }) => there.has(key))
    }, endMilliseconds)
    timers.add(timer)
  }
  watch(
    found,
    (entries) => {
      const next: LastingSlot[] = entries.map((entry) => ({ key: keyOf(entry), entry, isEnding: false }))
      const there = new Set(next.map(({ key }) => key))
      for (const [at, slot] of shown.value.entries()) {
        if (!there.has(slot.key)) next.splice(at, 0, { ...slot, isEnding: true })
      }
      if (next.length > entries.length) endLater()
      shown.value = next
    },
    { immediate: true },
  )
  onScopeDispose(() => {
    for (const timer of timers) clearTimeout(timer)
  })
  return shown
}

function keyOf({ plugin, id }: SlotEntry): string {
  return `${plugin}/${id}`
}
