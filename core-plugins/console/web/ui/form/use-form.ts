import { computed, onScopeDispose, ref } from 'vue'
import { asSameIntent } from '../../api/intents.ts'
import { Problem } from '../../session/problem.ts'
import { takeRefusal } from './unfit-fields.ts'

/** What another operation holds is tried again after so long. */
const busyMilliseconds = 2_000
const busyCode = 4092

/** Sends a form once at a time, and keeps what the server refuses it for; what somebody changed meanwhile is read anew. */
export function useForm(readAnew?: () => unknown) {
  const error = ref<unknown>()
  const isBusy = ref(false)
  /** Whether it was refused because somebody changed meanwhile what it changes. */
  const isOutdated = computed(() => error.value instanceof Problem && error.value.status === 412)
  let isGone = false
  onScopeDispose(() => (isGone = true))

  async function send(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    error.value = takeRefusal()
    if (error.value) return
    isBusy.value = true
    try {
      await attempt(work)
    } finally {
      isBusy.value = false
    }
  }
  /** Whether it is through; what it is refused for is kept otherwise. */
  async function attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (problem) {
      if (problem instanceof Problem) problem.again = () => repeat(work)
      // What its user stopped is no fault.
      const isStopped = problem instanceof DOMException && problem.name === 'AbortError'
      error.value = isStopped ? undefined : problem
      if (isOutdated.value) await readAnew?.()
      return false
    }
  }
  /** The same again; what another operation holds, as soon as that has ended. */
  async function repeat(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    try {
      while (!isGone && !(await asSameIntent(() => attempt(work)))) {
        if (!(error.value instanceof Problem) || error.value.code !== busyCode) return
        await new Promise((resolve) => setTimeout(resolve, busyMilliseconds))
      }
      error.value = undefined
    } finally {
      isBusy.value = false
    }
  }
  /** What a field is refused for. */
  function faultOf(field: string): string | undefined {
    return error.value instanceof Problem
      ? error.value.errors.find((fault) => fault.field === field)?.message
      : undefined
  }
  return { error, isBusy, isOutdated, send, faultOf }
}
