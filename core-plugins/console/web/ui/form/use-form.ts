import { ref } from 'vue'
import { Problem } from '../../session/problem.ts'

/** Sends a form once at a time, and keeps what the server refuses it for. */
export function useForm() {
  const error = ref<unknown>()
  const isBusy = ref(false)

  async function send(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    error.value = undefined
    try {
      await work()
    } catch (problem) {
      // What its user stopped is no fault.
      if (!(problem instanceof DOMException && problem.name === 'AbortError')) error.value = problem
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
  return { error, isBusy, send, faultOf }
}
