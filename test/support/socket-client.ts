import { WebSocket, type ClientOptions } from 'ws'
import type { Api } from './api.ts'
import { until } from './until.ts'

/** A frame as it came. */
export interface Frame {
  readonly type: string
  readonly id?: string
  readonly event?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly [member: string]: unknown
}

/** A client of a WebSocket, as a program writes it: it keeps every frame that came. */
export class SocketClient implements Disposable {
  readonly frames: Frame[] = []
  readonly socket: WebSocket
  /** Code and reason of the close; of an upgrade that was refused its status and body. */
  closed: { readonly code: number; readonly reason: string } | undefined
  refused: { readonly status: number; readonly body: string } | undefined

  constructor(url: string, options: ClientOptions = {}) {
    this.socket = new WebSocket(url.replace(/^http/, 'ws'), options)
    this.socket.on('message', (data) => this.frames.push(JSON.parse((data as Buffer).toString()) as Frame))
    this.socket.on('close', (code, reason) => (this.closed ??= { code, reason: reason.toString() }))
    this.socket.on('error', () => undefined)
    this.socket.on('unexpected-response', (_request, response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        this.refused = { status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }
      })
    })
  }

  /** A client that proved who it is by its token. */
  static as(api: Api, path: string, options: ClientOptions = {}): SocketClient {
    const headers = { authorization: `Bearer ${api.token ?? ''}`, ...options.headers }
    return new SocketClient(api.url + path, { ...options, headers })
  }

  /** The same, once it is ready. */
  static async ready(api: Api, path: string, options: ClientOptions = {}): Promise<SocketClient> {
    const client = SocketClient.as(api, path, options)
    await client.next('ready')
    return client
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame))
  }

  /** Waits for a frame of a type or an event of a name, from the so-manieth on. */
  async next(name: string, nth = 1): Promise<Frame> {
    const found = (): readonly Frame[] => this.frames.filter(({ type, event }) => type === name || event === name)
    await until(() => found().length >= nth || this.closed !== undefined || this.refused !== undefined)
    const frame = found()[nth - 1]
    if (!frame) throw new Error(`no ${name} came: ${JSON.stringify(this.closed ?? this.refused)}`)
    return frame
  }

  /** Waits until what was sent is answered: everything before it has come. */
  async pong(): Promise<void> {
    const before = this.frames.filter(({ type }) => type === 'pong').length
    this.send({ type: 'ping' })
    await this.next('pong', before + 1)
  }

  async end(): Promise<{ readonly code: number; readonly reason: string }> {
    await until(() => this.closed !== undefined)
    return this.closed as NonNullable<typeof this.closed>
  }

  async refusal(): Promise<{ readonly status: number; readonly code: number; readonly reason: string }> {
    await until(() => this.refused !== undefined)
    const { status, body } = this.refused as NonNullable<typeof this.refused>
    const { code, reason } = JSON.parse(body) as { code: number; reason: string }
    return { status, code, reason }
  }

  /** The events that came, by name. */
  get events(): readonly (string | undefined)[] {
    return this.frames.filter(({ type }) => type === 'event').map(({ event }) => event)
  }

  [Symbol.dispose](): void {
    this.socket.terminate()
  }
}
