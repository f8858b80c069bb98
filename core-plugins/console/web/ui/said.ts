import type { Directive } from 'vue'
import { announce } from './live-regions.ts'

interface Saying {
  readonly observer: MutationObserver
  timer: ReturnType<typeof setTimeout> | undefined
}

/** What is there for a moment only is not said. */
const settleMilliseconds = 150
const sayings = new WeakMap<HTMLElement, Saying>()

/**
 * Reads out what an element says when it comes, and whenever that changes: what role=status would do, by the one region that the console
 * has. `.changes` leaves out what it says at first, `.now` does not wait until something else was read.
 */
export const vSaid: Directive<HTMLElement, void, 'changes' | 'now'> = {
  mounted(element, { modifiers }) {
    let last = modifiers.changes ? textOf(element) : ''
    const say = () => {
      const text = textOf(element)
      if (text !== '' && text !== last) announce(text, modifiers.now ? 'assertive' : 'polite')
      last = text
    }
    const saying: Saying = { observer: new MutationObserver(later), timer: undefined }
    function later() {
      clearTimeout(saying.timer)
      saying.timer = setTimeout(say, settleMilliseconds)
    }
    sayings.set(element, saying)
    saying.observer.observe(element, { childList: true, subtree: true, characterData: true })
    if (!modifiers.changes) later()
  },
  unmounted(element) {
    const saying = sayings.get(element)
    saying?.observer.disconnect()
    clearTimeout(saying?.timer)
  },
}

function textOf(element: HTMLElement): string {
  return element.innerText.replace(/\s+/g, ' ').trim()
}
