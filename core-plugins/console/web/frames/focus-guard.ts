const keyMilliseconds = 200
const typingMilliseconds = 1000
const leavingMilliseconds = 500

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
let leftAt = Infinity

document.addEventListener(
  'keydown',
  ({ key }) => {
    if (key === 'Tab' || key === 'F6') movedAt = performance.now()
    else typedAt = performance.now()
  },
  true,
)
document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof Element) || target instanceof HTMLIFrameElement) return
  before = target
  leftAt = Infinity
})
document.addEventListener('focusout', () => (leftAt = performance.now()))
document.addEventListener('pointerover', ({ target }) => (pointed = target), true)
document.addEventListener('mouseover', ({ target }) => (pointed = target), true)
window.addEventListener('blur', look)
document.addEventListener('focusin', look)

/** Keeps a page from taking the focus, and with it what is typed, until the returned function is called. */
export function guardFocus(frame: HTMLIFrameElement, stolen: () => void): () => void {
  const entry = { frame, stolen }
  watched.add(entry)
  // What the console itself gives it, as when a dialogue is closed that was opened from the page.
  frame.focus = (options) => {
    movedAt = performance.now()
    HTMLElement.prototype.focus.call(frame, options)
  }
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

/**
 * Whether the reader gave it the focus: by a key that moves it, with the pointer over it, or by a click that the browser tells of where
 * it does not tell of the pointer, as for fingers. Such a click may also have been one in the console, a while ago: then only a frame
 * that takes the focus from no field gets it.
 */
function isGiven(frame: HTMLIFrameElement): boolean {
  const now = performance.now()
  if (now - movedAt < keyMilliseconds) return true
  if (now - typedAt < typingMilliseconds) return false
  return pointed === frame || (navigator.userActivation.isActive && !wasWriting(now))
}

function wasWriting(now: number): boolean {
  if (now - leftAt > leavingMilliseconds) return false
  return before?.closest('input, textarea, select, [contenteditable], dialog') != null
}
