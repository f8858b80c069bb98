import { onMounted, onUnmounted } from 'vue'
import { useRouter } from 'vue-router'
import { preferenceOf } from '../api/me.ts'
import { session } from '../session/session.ts'
import type { IconName } from '../ui/icons.ts'
import { isDialogOpen, isTyping } from '../ui/keys.ts'
import { placesOf } from './places.ts'

/** How long after `g` a letter leads somewhere. */
const patienceMilliseconds = 1500

/** Single keys that lead to pages and fields, where the reader wants them and types nothing. */
export function useShortcuts(showAll: () => void): void {
  const router = useRouter()
  let goesUntil = 0

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return
    if (isDialogOpen() || !preferenceOf('console.shortcuts', true)) return
    const place = Date.now() < goesUntil && placesOf(session).find(({ key }) => key === event.key)
    goesUntil = 0
    if (place) void router.push(place.path)
    else if (event.key === 'g') goesUntil = Date.now() + patienceMilliseconds
    else if (event.key === '?') showAll()
    else if (event.key === 'n') pressIt(buttonWith('plus', 'user-plus'))
    else if (event.key === 'e') pressIt(buttonWith('pencil'))
    else if (event.key === '/') document.querySelector<HTMLElement>('#content input[type=search]')?.focus()
    else return
    event.preventDefault()
  }
  onMounted(() => document.addEventListener('keydown', press))
  onUnmounted(() => document.removeEventListener('keydown', press))
}

/** The button with an icon that is meant: that of the row with the focus, of the page's head, or the first there is outside of lists. */
function buttonWith(...icons: readonly IconName[]): HTMLElement | undefined {
  const row = document.activeElement?.closest('tbody > tr')
  const buttons = icons.map((icon) => `#content button[data-icon="${icon}"]`)
  const all = [...document.querySelectorAll<HTMLElement>(buttons.join(','))].filter((button) =>
    button.checkVisibility({ visibilityProperty: true }),
  )
  return (
    (row && all.find((button) => row.contains(button))) ??
    all.find((button) => button.closest('header')) ??
    all.find((button) => !button.closest('tbody'))
  )
}

function pressIt(button: HTMLElement | undefined): void {
  // What it opens gives the focus back to where it was.
  button?.focus()
  button?.click()
}
