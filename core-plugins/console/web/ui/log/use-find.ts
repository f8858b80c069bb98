import { computed, ref, shallowRef, type ComputedRef, type Ref } from 'vue'

/** A search in rows that are loaded. */
export interface Finding {
  readonly words: Readonly<Ref<string>>
  /** Places of the rows that have the words. */
  readonly places: ComputedRef<readonly number[]>
  /** Which of them is shown, from 0; −1 while there is none. */
  readonly at: ComputedRef<number>
  look(words: string): void
  /** Goes to the next of them, or with −1 to the one before; after the last comes the first. */
  go(by: 1 | -1): void
}

/** Finds rows by words that stand in them, whether they are drawn or not; what was found stays so when others come before it. */
export function useFind<T extends { readonly id: number | string }>(
  rows: ComputedRef<readonly T[]>,
  textOf: (row: T) => string,
  bring: (index: number) => void,
): Finding {
  const words = ref('')
  const shown = shallowRef<T['id']>()
  const texts = new WeakMap<T, string>()
  const lowered = (row: T) => {
    const text = texts.get(row) ?? textOf(row).toLocaleLowerCase()
    texts.set(row, text)
    return text
  }
  const places = computed(() => {
    const wanted = words.value.trim().toLocaleLowerCase()
    return wanted === '' ? [] : rows.value.flatMap((row, index) => (lowered(row).includes(wanted) ? [index] : []))
  })
  const at = computed(() => places.value.findIndex((index) => rows.value[index]?.id === shown.value))
  function show(place: number) {
    const index = places.value[place]
    shown.value = index === undefined ? undefined : rows.value[index]?.id
    if (index !== undefined) bring(index)
  }
  return {
    words,
    places,
    at,
    look(wanted) {
      words.value = wanted
      show(0)
    },
    go(by) {
      const count = places.value.length
      if (count > 0) show(at.value === -1 ? 0 : (at.value + by + count) % count)
    },
  }
}
