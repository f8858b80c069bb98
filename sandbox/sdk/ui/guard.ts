// Stands before every page of a plugin, after what stands before each script (sandbox/pages/script-fence.ts): what it opens within its
// frame is none of the reader's way back.
// What it adds to the way back by `location.hash` nobody can keep it from. To whoever does so again and again without a click or a
// key the console hears this, which no page says, and takes it away.
const mostUnasked = 3
const mostAsked = 4
const forgetMilliseconds = 10_000
/** A full history does not grow; whoever goes back in it by hand does not do so as often within a second. */
const mostSteps = 50
const mostInASecond = 10
const told = parent
let asked = 0
let steps = history.length
let unasked = 0
let unaskedAt = 0
let grewAt = -1
let second = 0
let inSecond = 0
for (const type of ['pointerdown', 'keydown'])
  addEventListener(type, ({ isTrusted }) => void (isTrusted && (asked = Math.min(asked + 2, mostAsked))), true)
addEventListener(
  'hashchange',
  ({ timeStamp: now }) => {
    // Who goes back and forward adds nothing; what else was added meanwhile is the console’s.
    const hasGrown = history.length > steps
    steps = history.length
    inSecond = now - second < 1000 ? inSecond + 1 : 1
    if (inSecond === 1) second = now
    if (hasGrown) grewAt = now
    if (asked > 0) return void (asked -= 1)
    if (now - unaskedAt > forgetMilliseconds) unasked = 0
    if (hasGrown) unaskedAt = now
    unasked += Number(hasGrown)
    if (unasked > mostUnasked || (inSecond > mostInASecond && (grewAt >= second || steps >= mostSteps)))
      told.postMessage('it fills the history', '*')
  },
  true,
)

const stay = history.replaceState.bind(history)
Object.defineProperty(History.prototype, 'pushState', {
  value: (data: unknown, unused: string, url?: string | URL | null) => stay(data, unused, url),
  writable: false,
  configurable: false,
})
