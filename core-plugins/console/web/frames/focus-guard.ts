const keyMilliseconds = 200
const typingMilliseconds = 1000

interface Watched {
  readonly frame: HTMLIFrameElement
  /** It took the focus that nobody gave it. */
  readonly stolen: () => void
}

const watched = new Set<Watched>()
let movedAt = -Infinity
let typedAt = -Infinity
let pointed: EventTarget | null = null
let before: Element | null = null

document.addEventListener(
  'keydown',
  ({ key }) => {
    if (key === 'Tab' || key === 'F6') movedAt = performance.now()
    else typedAt = performance.now()
  },
  true,
)
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !(target instanceof HTMLIFrameElement)) before = target
})
document.addEventListener('pointerover', ({ target }) => (pointed = target), true)
document.addEventListener('mouseover', ({ target }) => (pointed = target), true)
window.addEventListener('blur', look)
document.addEventListener('focusin', look)

/** Keeps a page from taking the focus, and with it what is typed, until the returned function is called. */
export function guardFocus(frame: HTMLIFrameElement, stolen: () => void): () => void {
  const entry = { frame, stolen }
  watched.add(entry)
  return () => void watched.delete(entry)
}

function look(): void {
  const taken = [...watched].find(({ frame }) => frame === document.activeElement)
  if (!taken || isGiven(taken.frame)) return
  const back = before
  // At once, and not when it is drawn the next time: until then its page would read on.
  taken.frame.remove()
  taken.stolen()
  if (back instanceof HTMLElement && back.isConnected) back.focus()
}

function isGiven(frame: HTMLIFrameElement): boolean {
  const now = performance.now()
  if (now - movedAt < keyMilliseconds) return true
  if (now - typedAt < typingMilliseconds) return false
  // A finger points at nothing before it touches.
  return pointed === frame || (matchMedia('(pointer: coarse)').matches && navigator.userActivation.isActive)
}
