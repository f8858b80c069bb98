import { onScopeDispose } from 'vue'
import { session } from '../../session/session.ts'

/** Does something a while after it was wanted last, or at once where its page is left or loaded anew; nothing of whoever has signed out. */
export function useLater(milliseconds: number) {
  let pause: ReturnType<typeof setTimeout> | undefined
  let wanted: (() => void) | undefined

  function forget(): void {
    clearTimeout(pause)
    wanted = undefined
  }
  function now(): void {
    const work = wanted
    forget()
    if (session.isSignedIn.value) work?.()
  }
  function want(work: () => void): void {
    forget()
    wanted = work
    pause = setTimeout(now, milliseconds)
  }
  window.addEventListener('pagehide', now)
  onScopeDispose(() => {
    window.removeEventListener('pagehide', now)
    now()
  })
  return { want, now, forget }
}
