import { computed, nextTick, onBeforeUnmount, onMounted, ref, shallowRef, watch, type ShallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { useQueryClient } from '@tanstack/vue-query'
import type { PageContext } from '../../../../sandbox/sdk/ui/protocol.ts'
import { preferences } from '../api/me.ts'
import { slotsKey, type SlotEntry } from '../api/slots.ts'
import { onNews } from '../realtime/use-live.ts'
import { session } from '../session/session.ts'
import { guardFocus } from './focus-guard.ts'
import { guardHistory, restoreHistory } from './history-guard.ts'
import { FrameSession } from './frame-session.ts'
import { isRoomForFrame, useFrameRoom } from './frame-room.ts'
import { changesOf, pageContext, type FramePlace } from './page-context.ts'
import type { PageFault } from './page-fault.ts'
import type { Question, Surroundings } from './surroundings.ts'

/** Where a frame is: it loads, is there, does not answer, waits for a click, was hidden by the reader, or was taken away. */
export type FrameState = 'loading' | 'live' | 'silent' | 'held' | 'hidden' | 'removed'

type Reports = Pick<Surroundings, 'route' | 'leave' | 'title' | 'badge' | 'dirty' | 'close'>

const clickMilliseconds = 1000
const readyMilliseconds = 10_000
const loadsInAMinute = 4
const mostFaults = 5

/** A page of a plugin in its frame, from the first hello to the last word. */
export function useFrame(
  slot: () => SlotEntry,
  /** Whether it is there no more, and goes in a moment. */
  isEnding: () => boolean,
  place: FramePlace,
  route: () => string,
  element: Readonly<ShallowRef<HTMLIFrameElement | null>>,
  reports: Reports,
) {
  const { locale } = useI18n()
  const state = ref<FrameState>(isRoomForFrame() ? 'loading' : 'held')
  /** The page that is shown; another one once this one had time to end what it does. */
  const shown = shallowRef(slot())
  const height = ref<number>()
  const question = shallowRef<Question & { readonly answer: (isYes: boolean) => void }>()
  /** What its code threw, for its author. */
  const faults = ref<readonly PageFault[]>([])
  /** From its author's save to when it was ready, in milliseconds. */
  const took = ref<number>()
  const isThere = computed(() => ['loading', 'live', 'silent'].includes(state.value))
  useFrameRoom(isThere)
  const queryClient = useQueryClient()
  const loads: number[] = []
  let link: FrameSession | undefined
  let connections = 0
  let told: PageContext | undefined
  let toldRoute = route()
  let guards: readonly (() => void)[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** What was never ready is not made so by its answers. */
  let wasReady = false
  /** It is loaded because another release came, and not because somebody looks. */
  let isFromSave = false

  function connect() {
    const frame = element.value
    if (!frame?.contentWindow) return
    link = new FrameSession(frame.contentWindow, surroundings(frame))
    guards = [guardFocus(frame, remove), guardHistory(remove)]
  }
  function disconnect() {
    clearTimeout(timer)
    for (const stop of guards) stop()
    guards = []
    link?.[Symbol.dispose]()
    link = undefined
    told = undefined
    question.value?.answer(false)
    // What goes has nothing left to be saved.
    reports.dirty(false)
    connections += 1
  }
  function remove() {
    disconnect()
    restoreHistory()
    state.value = 'removed'
  }
  function hide() {
    disconnect()
    state.value = 'hidden'
  }
  function surroundings(frame: HTMLIFrameElement): Surroundings {
    const connection = connections
    return {
      ...reports,
      slot: shown.value,
      kind: place.kind,
      route(to, replace) {
        // A page that has gone meanwhile leads nowhere.
        if (connection !== connections) return
        toldRoute = to
        reports.route(to, replace)
      },
      context() {
        // A page that begins has changed nothing, whatever the one before it in the frame had.
        reports.dirty(false)
        toldRoute = route()
        return (told = pageContext(shown.value, place, frame, toldRoute))
      },
      ask: (asked) =>
        question.value
          ? Promise.resolve(false)
          : new Promise((resolve) => {
              const answer = (isYes: boolean) => {
                question.value = undefined
                resolve(isYes)
              }
              question.value = { ...asked, answer }
            }),
      height: (pixels) => (height.value = pixels),
      fault(fault) {
        // Of a page that was there before nobody asks any more.
        if (connection === connections) faults.value = [...faults.value, fault].slice(0, mostFaults)
      },
      wasClicked: (milliseconds = clickMilliseconds) => comesTrue(() => isClicked(frame), milliseconds),
      ready() {
        clearTimeout(timer)
        loads.length = 0
        wasReady = true
        if (isFromSave && shown.value.saved_at) took.value = Math.max(Date.now() - shown.value.saved_at, 0)
        isFromSave = false
        state.value = 'live'
      },
      answers(isAnswering) {
        if (wasReady && (state.value === 'live' || state.value === 'silent'))
          state.value = isAnswering ? 'live' : 'silent'
      },
      remove,
    }
  }
  /** From the document on: what is not ready after a while does not answer. */
  function loaded() {
    if (state.value !== 'loading') return
    clearTimeout(timer)
    timer = setTimeout(notReady, readyMilliseconds)
  }
  /** Perhaps it is not there any more, which no frame tells: what there is now is asked for. */
  function notReady() {
    state.value = 'silent'
    void queryClient.invalidateQueries({ queryKey: slotsKey })
  }
  /** Begins anew, with the page that there is now; one that is begun again and again and never ready is left. */
  async function reload() {
    disconnect()
    faults.value = []
    wasReady = false
    took.value = undefined
    const now = Date.now()
    loads.push(now)
    if (loads.filter((at) => at > now - 60_000).length > loadsInAMinute) return void (state.value = 'removed')
    state.value = 'held'
    await nextTick()
    shown.value = slot()
    state.value = 'loading'
    await nextTick()
    connect()
  }
  function tellContext() {
    const frame = element.value
    if (!frame || !told || !link) return
    const now = pageContext(shown.value, place, frame, toldRoute)
    const changed = changesOf(told, now)
    told = now
    if (Object.keys(changed).length > 0) link.tell('context.changed', changed)
  }
  async function teardown(reason: string) {
    await link?.teardown(reason)
  }

  const looks = new MutationObserver(tellContext)
  const sizes = new ResizeObserver(tellContext)
  onMounted(() => {
    connect()
    looks.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-density'] })
    document.addEventListener('visibilitychange', tellContext)
  })
  watch(element, (frame) => {
    sizes.disconnect()
    if (!frame) return
    sizes.observe(frame)
    // Opened and closed while its page runs on.
    const panel = frame.closest('[role=dialog]')
    if (panel) looks.observe(panel, { attributeFilter: ['inert'] })
  })
  watch([locale, preferences, () => session.state.isOffline], tellContext)
  watch(slot, async (next, before) => {
    if (next.url !== before.url) {
      // What another release failed at is not held against this one.
      loads.length = 0
      await teardown('updated')
      isFromSave = true
      await reload()
    } else {
      shown.value = next
      tellContext()
    }
  })
  watch(isEnding, async (is) => {
    if (is) await teardown('disabled')
    // There again meanwhile it begins anew: its page has ended.
    else await reload()
  })
  watch(route, (to) => {
    if (to === toldRoute) return
    toldRoute = to
    link?.tell('route.changed', { route: to })
  })
  onNews(({ event, data }) => {
    if (event.startsWith(`${shown.value.plugin}.`)) link?.tell('event', { type: event, payload: data })
  })
  onBeforeUnmount(() => {
    looks.disconnect()
    sizes.disconnect()
    document.removeEventListener('visibilitychange', tellContext)
    disconnect()
  })
  return { state, shown, height, question, faults, took, isThere, loaded, reload, hide, teardown }
}

function isClicked(frame: HTMLIFrameElement): boolean {
  return navigator.userActivation.isActive && document.activeElement === frame
}

/** Focus and click of a frame come to the console by another way than what its page says. */
async function comesTrue(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  const last = performance.now() + milliseconds
  while (!isSo()) {
    if (performance.now() >= last) return false
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return true
}
