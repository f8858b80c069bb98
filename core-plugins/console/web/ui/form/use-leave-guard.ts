import { onMounted, onUnmounted, toValue, type MaybeRefOrGetter } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router'
import { say } from '../../tab/i18n.ts'

/** Asks once before a form is left that has changes. */
export function useLeaveGuard(isDirty: MaybeRefOrGetter<boolean>): void {
  const mayLeave = () => !toValue(isDirty) || confirm(say('shell.leave'))
  const warn = (event: BeforeUnloadEvent) => {
    if (toValue(isDirty)) event.preventDefault()
  }
  onMounted(() => window.addEventListener('beforeunload', warn))
  onUnmounted(() => window.removeEventListener('beforeunload', warn))
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate(mayLeave)
}
