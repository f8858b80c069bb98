import type { Hello } from '../../../../sandbox/sdk/ui/protocol.ts'

/** A frame that waits for its page to say hello. */
export interface Greeted {
  /** Of every page that may speak in the frame: the path of its release, with a slash at its end. */
  readonly folder: string
  hello(hello: Hello): void
  /** It sent to the window what no page sends. */
  strayed(): void
}

const frames = new Map<MessageEventSource, Greeted>()

window.addEventListener('message', ({ source, origin, data, ports }: MessageEvent<unknown>) => {
  const frame = source && frames.get(source)
  // Anybody else, also a frame within a frame, is not heard at all.
  if (!frame) return
  if (origin !== 'null' || ports.length > 0 || !isHello(data)) return frame.strayed()
  // An honest page of another plugin, which this one shows in its frame, says where it is from.
  if (data.path.startsWith(frame.folder)) frame.hello(data)
})

/** Hears what the page in a frame says to the window, until the returned function is called. */
export function greet(source: Window, frame: Greeted): () => void {
  frames.set(source, frame)
  return () => void frames.delete(source)
}

function isHello(data: unknown): data is Hello {
  if (typeof data !== 'object' || data === null) return false
  const { stoa, protocols, path } = data as Partial<Hello>
  return stoa === 'hello' && typeof path === 'string' && Array.isArray(protocols) && protocols.length <= 20
}
