// Stands before every page of a plugin: where a browser does not know how to keep a page from speaking to others, it has not what
// it would speak with, and what it opens within its frame is none of the reader's way back.
for (const name of [
  'RTCPeerConnection',
  'webkitRTCPeerConnection',
  'RTCDataChannel',
  'WebTransport',
  'WebSocketStream',
])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false })

const stay = history.replaceState.bind(history)
Object.defineProperty(History.prototype, 'pushState', {
  value: (data: unknown, unused: string, url?: string | URL | null) => stay(data, unused, url),
  writable: false,
  configurable: false,
})
