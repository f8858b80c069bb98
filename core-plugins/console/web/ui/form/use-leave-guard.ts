import { toValue, type MaybeRefOrGetter } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router'
import { say } from '../../tab/i18n.ts'
import { recordParameters } from '../record-parameters.ts'
import { useUnsaved } from './use-unsaved.ts'

/** Asks once before a form is left that has changes. */
export function useLeaveGuard(isDirty: MaybeRefOrGetter<boolean>): void {
  const mayLeave = () => !toValue(isDirty) || confirm(say('shell.leave'))
  useUnsaved(isDirty)
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate((to, from) => placeOf(to) === placeOf(from) || mayLeave())
}

/** Where an address leads, whichever record lies open over it. */
function placeOf({ path, query }: RouteLocationNormalized): string {
  const shown = { ...query }
  for (const name of recordParameters) delete shown[name]
  return JSON.stringify([path, Object.entries(shown).toSorted()])
}
