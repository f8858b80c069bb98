import { onScopeDispose, watch, type Ref } from 'vue'
import { say } from '../../../tab/i18n.ts'
import { announce } from '../../../ui/live-regions.ts'
import type { Shown } from './shown.ts'

const everyMilliseconds = 10_000
/** How answers end that are not whole. */
const early: ReadonlySet<string> = new Set(['cancelled', 'length', 'content_filter', 'quota'])

/** Tells those who do not see an answer that it is being written, still is, and how it ended. */
export function useAnnouncer(isRunning: Ref<boolean>, last: () => Shown | undefined): void {
  let timer: ReturnType<typeof setInterval> | undefined
  watch(isRunning, (now) => {
    clearInterval(timer)
    if (now) {
      announce(say('user.answering'))
      timer = setInterval(() => announce(say('user.stillAnswering')), everyMilliseconds)
      return
    }
    // Why there is none is told by what stands there instead.
    const { finish, role } = last() ?? {}
    if (role === 'assistant' && finish !== 'error')
      announce(say(early.has(finish ?? '') ? 'user.answerStopped' : 'user.answered'))
  })
  onScopeDispose(() => clearInterval(timer))
}
