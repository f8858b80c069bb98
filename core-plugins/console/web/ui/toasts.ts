import { reactive } from 'vue'

/** A short word that goes by itself; never the only place of something important. */
export interface Toast {
  readonly id: number
  readonly text: string
}

const seconds = 5
let last = 0

/** Those that are shown. */
export const toasts = reactive<Toast[]>([])

/** Says that something was done. */
export function toast(text: string): void {
  const id = (last += 1)
  toasts.push({ id, text })
  setTimeout(() => {
    const at = toasts.findIndex((each) => each.id === id)
    if (at >= 0) toasts.splice(at, 1)
  }, seconds * 1000)
}
