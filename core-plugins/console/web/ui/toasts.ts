import { reactive } from 'vue'
import { say } from '../tab/i18n.ts'
import { reasonOf } from './reason-of.ts'

/** A short word that goes by itself; never the only place of something important. */
export interface Toast {
  readonly id: number
  readonly text: string
  /** Takes back what was done. */
  readonly undo?: Undo | undefined
}
export type Undo = () => Promise<unknown>

const milliseconds = 5_000
/** Long enough to read it, to see that it was a mistake, and to reach it. */
const undoMilliseconds = 10_000
let last = 0
let isHeld = false
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Those that are shown. */
export const toasts = reactive<Toast[]>([])

/** Says that something was done, and offers to take it back where that can be done. */
export function toast(text: string, undo?: Undo): void {
  const id = (last += 1)
  toasts.push({ id, text, undo })
  plan()
}

/** None goes while somebody is about to press one. */
export function hold(): void {
  isHeld = true
  timers.forEach(clearTimeout)
  timers.clear()
}

/** Each goes by itself again, its whole time from now where it was held. */
export function letGo(): void {
  isHeld = false
  plan()
}

/** Takes back what a toast says, once; what does not work is said in its place. */
export async function takeBack({ id, undo }: Toast): Promise<void> {
  if (!undo || !toasts.some((each) => each.id === id)) return
  drop(id)
  try {
    await undo()
    toast(say('shell.undone'))
  } catch (error) {
    toast(reasonOf(error))
  }
}

/** What somebody did is not taken back by whoever comes after them. */
export function dropUndo(): void {
  for (const { id } of toasts.filter(({ undo }) => undo)) drop(id)
}

function plan(): void {
  if (isHeld) return
  for (const { id, undo } of toasts) {
    if (timers.has(id)) continue
    const after = undo ? undoMilliseconds : milliseconds
    timers.set(
      id,
      setTimeout(() => drop(id), after),
    )
  }
}

function drop(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  const at = toasts.findIndex((each) => each.id === id)
  if (at >= 0) toasts.splice(at, 1)
  // Whoever was at the last one has nothing left to be at.
  if (toasts.length === 0) isHeld = false
}
