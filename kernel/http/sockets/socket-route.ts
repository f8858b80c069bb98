import type { Locale } from '../../locale/locale.ts'
import type { Logger } from '../../log.ts'
import type { Socket } from './socket.ts'

/** Who asks for a WebSocket. */
export interface SocketContext {
  readonly path: string
  readonly query: URLSearchParams
  readonly ip: string
  readonly locale: Locale
  readonly traceId: string
  readonly log: Logger
  /** A request header, or undefined. */
  header(name: string): string | undefined
}

/** One path at which a WebSocket opens. Pages of other origins than the platform's and the allowed ones are refused with 403. */
export interface SocketRoute {
  readonly path: string
  /** The largest message in bytes; a larger one closes the socket with 1009. */
  readonly maxMessageBytes: number
  /** Looks at who asks; throws to refuse. */
  open(ctx: SocketContext): SocketOpening
}

/** What becomes of a request that was let in; disposed when its connection is gone, whether or not a socket came of it. */
interface SocketOpening extends Disposable {
  use(socket: Socket): void
}
