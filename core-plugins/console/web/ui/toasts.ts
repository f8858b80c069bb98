import { reactive, shallowRef } from 'vue'
import { say } from '../tab/i18n.ts'
import { isDialogOpen } from './keys.ts'

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
const timers = new Map<number, ReturnType<typeof setTimeout>>()
/** Who keeps toasts from going: the mouse, or the focus. */
const holders = new Set<'pointer' | 'focus'>()
/** One after the other, so that what was done last is taken back first. */
let turn: Promise<unknown> = Promise.resolve()

/** Those that are shown. */
export const toasts = reactive<Toast[]>([])
/** What could not be taken back, and why, until it has been seen. */
export const failedUndo = shallowRef<{ readonly toast: Toast; readonly error: unknown }>()

/** Says that something was done, and offers to take it back where that can be done. */
export function toast(text: string, undo?: Undo): void {
  const id = (last += 1)
  toasts.push({ id, text, undo })
  plan()
}

/** None goes while somebody is about to press one. */
export function hold(by: 'pointer' | 'focus'): void {
  holders.add(by)
  timers.forEach(clearTimeout)
  timers.clear()
}

/** Each goes by itself again, its whole time from now where it was held. */
export function letGo(by: 'pointer' | 'focus'): void {
  holders.delete(by)
  plan()
}

/** Takes back what a toast says, once. */
export function takeBack(toast: Toast): void {
  if (!toasts.some(({ id }) => id === toast.id)) return
  drop(toast.id)
  tryAgain(toast)
}

/** The same for what could not be taken back before. */
export function tryAgain(undone: Toast): void {
  failedUndo.value = undefined
  turn = turn.then(async () => {
    try {
      await undone.undo?.()
      toast(say('shell.undone'))
    } catch (error) {
      failedUndo.value = { toast: undone, error }
    }
  })
}

/** What somebody did is not taken back by whoever comes after them. */
export function dropUndo(): void {
  for (const { id } of toasts.filter(({ undo }) => undo)) drop(id)
  failedUndo.value = undefined
}

/** It has been read. */
export function drop(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  const at = toasts.findIndex((each) => each.id === id)
  if (at >= 0) toasts.splice(at, 1)
  // Whoever was at the last one has nothing left to be at.
  if (toasts.length === 0) holders.clear()
}

function plan(): void {
  if (holders.size > 0) return
  for (const { id, undo } of toasts) {
    if (timers.has(id)) continue
    const after = undo ? undoMilliseconds : milliseconds
    timers.set(
      id,
      setTimeout(() => end(id, undo !== undefined), after),
    )
  }
}

/** Under a dialogue it can be neither seen nor pressed: it has its time after that. */
function end(id: number, isUndo: boolean): void {
  if (!isUndo || !isDialogOpen()) return drop(id)
  timers.delete(id)
  plan()
}
