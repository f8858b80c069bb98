/** What an administrator's tab hands to the one it opened. */
export interface HandedToken {
  readonly text: string
  readonly expiresIn: number
}

const waitMilliseconds = 10_000

/** Waits for the tab of this nonce to ask, and hands it the token once. */
export function handOver(nonce: string, token: HandedToken): void {
  const channel = new BroadcastChannel(`stoa.hand-over.${nonce}`)
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.data !== 'ask') return
    channel.postMessage(token)
    setTimeout(() => channel.close(), 0)
  })
  setTimeout(() => channel.close(), waitMilliseconds)
}

/** The token that the tab which opened this one has for it; undefined when there is none, as after a reload. */
export function askForHandOver(nonce: string): Promise<HandedToken | undefined> {
  const channel = new BroadcastChannel(`stoa.hand-over.${nonce}`)
  return new Promise((resolve) => {
    const end = (token: HandedToken | undefined) => {
      channel.close()
      clearTimeout(timer)
      resolve(token)
    }
    const timer = setTimeout(() => end(undefined), 1500)
    channel.addEventListener(
      'message',
      (event: MessageEvent<HandedToken | 'ask'>) => event.data !== 'ask' && end(event.data),
    )
    channel.postMessage('ask')
  })
}
