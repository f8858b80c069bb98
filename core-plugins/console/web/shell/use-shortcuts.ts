import { onMounted, onUnmounted } from 'vue'
import { useRouter } from 'vue-router'
import { preferenceOf } from '../api/me.ts'
import { session } from '../session/session.ts'
import { isTyping } from '../ui/keys.ts'
import { placesOf } from './places.ts'

/** How long after `g` a letter leads somewhere. */
const patienceMilliseconds = 1500

/** Single keys that lead to pages and fields, where the reader wants them and types nothing. */
export function useShortcuts(showAll: () => void): void {
  const router = useRouter()
  let goesUntil = 0

  function press(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') || !preferenceOf('console.shortcuts', true)) return
    const place = Date.now() < goesUntil && placesOf(session).find(({ key }) => key === event.key)
    goesUntil = 0
    if (place) void router.push(place.path)
    else if (event.key === 'g') goesUntil = Date.now() + patienceMilliseconds
    else if (event.key === '?') showAll()
    else if (event.key === '/') document.querySelector<HTMLElement>('#content input[type=search]')?.focus()
    else return
    event.preventDefault()
  }
  onMounted(() => document.addEventListener('keydown', press))
  onUnmounted(() => document.removeEventListener('keydown', press))
}
