const keyMilliseconds = 200
const typingMilliseconds = 1000
const leavingMilliseconds = 500
const lateMilliseconds = 150
const openingMilliseconds = 300

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
let enteredAt = -Infinity
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
  if (target !== before) enteredAt = performance.now()
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
  // A field that had the focus before anything here was heard of has it all the same.
  const { activeElement: now } = document
  if (now !== document.body && !(now instanceof HTMLIFrameElement)) before ??= now
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
  const taken = findTaken()
  if (!taken) return
  if (isLateClick(taken.frame)) return giveBack()
  if (isGiven(taken.frame)) return
  // The browser may tell of a click, or of the pointer, a little after it moved the focus: nobody was writing who would lose a key.
  if (isIdle(performance.now()))
    setTimeout(() => void (findTaken() === taken && !isGiven(taken.frame) && takeAway(taken)), lateMilliseconds)
  else takeAway(taken)
}

function findTaken(): Watched | undefined {
  return [...watched].find(({ frame }) => frame === document.activeElement)
}

function takeAway(taken: Watched): void {
  // At once, and not when it is drawn the next time: until then its page would read on.
  taken.frame.remove()
  taken.stolen()
  giveBack()
}

function giveBack(): void {
  if (before instanceof HTMLElement && before.isConnected) before.focus()
}

/** Whether the focus is that of a click in the page which opened a dialogue of the console, and came after the dialogue. */
function isLateClick(frame: HTMLIFrameElement): boolean {
  const isClick = pointed === frame || navigator.userActivation.isActive
  const isNew = performance.now() - enteredAt < openingMilliseconds && typedAt < enteredAt
  return isClick && isNew && before?.closest('dialog') != null
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

function isIdle(now: number): boolean {
  return now - typedAt >= typingMilliseconds && !wasWriting(now)
}

function wasWriting(now: number): boolean {
  if (now - leftAt > leavingMilliseconds) return false
  return before?.closest('input, textarea, select, [contenteditable], dialog') != null
}
