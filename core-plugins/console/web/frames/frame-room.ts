import { onScopeDispose, watch, type Ref } from 'vue'

const mostFrames = 12
/** Those that are there or about to be: many are made at once, before the first of them speaks. */
const taken = new Set<symbol>()

/** Whether one more frame may be there without being asked for. */
export function isRoomForFrame(): boolean {
  return taken.size < mostFrames
}

/** Takes room for a frame as long as it is there. */
export function useFrameRoom(isThere: Readonly<Ref<boolean>>): void {
  const own = Symbol('frame')
  watch(isThere, (is) => void (is ? taken.add(own) : taken.delete(own)), { immediate: true, flush: 'sync' })
  onScopeDispose(() => taken.delete(own))
}
