import { shallowRef } from 'vue'

/** Why the first page could not be shown, and which it was: the server did not answer, or said that it cannot. */
export const startProblem = shallowRef<{ readonly error: unknown; readonly path: string }>()
