import { ref, type ShallowRef } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate, type RouteLocationNormalized } from 'vue-router'
import { say } from '../tab/i18n.ts'
import { useUnsaved } from '../ui/form/use-unsaved.ts'
import { useFrameRoute } from './use-frame-route.ts'

interface Frame {
  teardown(reason: 'navigation'): Promise<unknown>
}

/** Where in a page of a plugin one is; the page is asked before it is left with changes, and told. */
export function useFramePlace(frame: Readonly<ShallowRef<Frame | null>>) {
  const isDirty = ref(false)
  useUnsaved(isDirty)
  async function leave(): Promise<boolean> {
    if (isDirty.value && !window.confirm(say('plugins.frame.dirty'))) return false
    await frame.value?.teardown('navigation')
    isDirty.value = false
    return true
  }
  onBeforeRouteLeave(leave)
  onBeforeRouteUpdate((to: RouteLocationNormalized, from: RouteLocationNormalized) =>
    to.path === from.path ? true : leave(),
  )
  return { ...useFrameRoute(), isDirty }
}
