/** How soon it is read out: when what is being read has ended, or at once. */
type Urgency = 'polite' | 'assertive'

/** A region that has moved is known to screen readers before something comes into it. */
const beginMilliseconds = 100
const keptMilliseconds = 5_000
/** What two places say in the same moment is said once. */
const onceMilliseconds = 1_000
const host = document.createElement('div')
const regions = { polite: regionOf('polite'), assertive: regionOf('assertive') }
const lately = new Map<string, number>()

host.className = 'visually-hidden'
// Closed, because it is for the ears alone: nobody finds, selects or copies it.
host.attachShadow({ mode: 'closed' }).append(regions.polite, regions.assertive)

/** Puts the two live regions of the console where they are heard: what lies under a modal dialogue is not. */
export function placeLiveRegions(): void {
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body
  if (host.parentNode !== place) place.append(host)
}

/** Has a screen reader say something. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  const now = performance.now()
  if (now - (lately.get(text) ?? Number.NEGATIVE_INFINITY) < onceMilliseconds) return
  lately.set(text, now)
  placeLiveRegions()
  setTimeout(() => {
    const line = document.createElement('p')
    line.textContent = text
    regions[urgency].append(line)
    setTimeout(() => {
      line.remove()
      lately.delete(text)
    }, keptMilliseconds)
  }, beginMilliseconds)
}

function regionOf(urgency: Urgency): HTMLElement {
  const region = document.createElement('div')
  region.ariaLive = urgency
  return region
}
