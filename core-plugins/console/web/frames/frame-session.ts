import type { Initialized, PortOffer, RpcMessage } from '../../../../sandbox/sdk/ui/protocol.ts'
import { startWorker } from '../tab/trusted-worker.ts'
import { Allowance } from './allowance.ts'
import { RpcFault } from './fault.ts'
import { greet } from './handshake.ts'
import { frameMethods } from './methods/methods.ts'
import { paramsOf } from './params.ts'
import workerUrl from './port-worker.ts?worker&url'
import type { Surroundings } from './surroundings.ts'
import type { FromWorker, ToWorker } from './worker-messages.ts'

const initializeMilliseconds = 5000
const pingMilliseconds = 10_000
const pingAnswerMilliseconds = 5000
const teardownMilliseconds = 500
const limits = { bodyBytes: 1_000_000, answerBytes: 5_000_000, requestsAtOnce: 16, requestsPerMinute: 300 }

/** The console's end of one frame: it hears hellos, and answers what the page asks through a port that ends in a worker. */
export class FrameSession implements Disposable {
  readonly #window: Window
  readonly #around: Surroundings
  readonly #stopGreeting: () => void
  readonly #hellos = new Allowance(10, 60_000)
  #methods = frameMethods()
  #worker: Worker | undefined
  #isInitialized = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #pinging: ReturnType<typeof setInterval> | undefined
  #waiting = new Map<number, () => void>()
  #last = 0
  #unanswered = 0

  constructor(frame: Window, around: Surroundings) {
    this.#window = frame
    this.#around = around
    const { plugin, release_hash: release } = around.slot
    this.#stopGreeting = greet(frame, {
      folder: `/plugin-ui/${plugin}/${release}/`,
      hello: ({ protocols }) => this.#hello(protocols),
      strayed: () => around.remove(),
    })
  }

  /** Tells the page of something. */
  tell(method: 'context.changed' | 'route.changed' | 'event', params: unknown): void {
    if (this.#isInitialized) this.#send({ jsonrpc: '2.0', method, params })
  }

  /** Lets the page end what it does, for half a second at most. */
  async teardown(reason: string): Promise<void> {
    if (!this.#isInitialized) return
    await this.#ask('teardown', { reason }, teardownMilliseconds)
  }

  [Symbol.dispose](): void {
    this.#stopGreeting()
    this.#forgetPort()
  }

  #hello(protocols: readonly number[]): void {
    if (!this.#hellos.take()) return this.#around.remove()
    this.#forgetPort()
    if (!protocols.includes(1)) return this.#giveUp()
    const { port1, port2 } = new MessageChannel()
    this.#worker = startWorker(workerUrl)
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.type === 'end') this.#around.remove()
      else this.#take(data.message)
    })
    this.#worker.postMessage({ type: 'port', port: port1 } satisfies ToWorker, [port1])
    this.#window.postMessage({ stoa: 'port', protocol: 1 } satisfies PortOffer, '*', [port2])
    this.#timer = setTimeout(() => this.#giveUp(), initializeMilliseconds)
  }

  /** Nothing is heard of the page until it says hello anew. */
  #giveUp(): void {
    this.#forgetPort()
    this.#around.answers(false)
  }

  /** What the page before said is answered no more. */
  #forgetPort(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#pinging)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#isInitialized = false
    for (const resolve of this.#waiting.values()) resolve()
    this.#waiting.clear()
    this.#methods = frameMethods()
    this.#unanswered = 0
  }

  #take(message: RpcMessage): void {
    const { id, method } = message
    if (method === undefined) {
      this.#waiting.get(id as number)?.()
      return
    }
    if (!this.#isInitialized) return method === 'initialize' && id !== undefined ? this.#initialize(id) : this.#giveUp()
    if (method === 'ready') return this.#around.ready()
    void this.#answer(message, method)
  }

  #initialize(id: number | string): void {
    clearTimeout(this.#timer)
    this.#isInitialized = true
    const result: Initialized = {
      protocol: 1,
      host: { name: 'stoa', version: '1.0.0' },
      context: this.#around.context(),
      methods: [...this.#methods.keys()],
      limits,
    }
    this.#send({ jsonrpc: '2.0', id, result })
    this.#pinging = setInterval(() => this.#ping(), pingMilliseconds)
  }

  async #answer({ id, params }: RpcMessage, name: string): Promise<void> {
    const worker = this.#worker
    const answer = await this.#run(name, params)
    // A page that came after the one that asked is not told.
    if (id !== undefined && worker === this.#worker) this.#send({ jsonrpc: '2.0', id, ...answer })
  }

  async #run(name: string, params: unknown): Promise<Pick<RpcMessage, 'result' | 'error'>> {
    const method = this.#methods.get(name)
    if (!method) return { error: { code: -32601, message: `there is no method ${name.slice(0, 80)}` } }
    try {
      return { result: await method(paramsOf(params), this.#around) }
    } catch (error) {
      if (error instanceof RpcFault) return { error: error.error }
      return { error: { code: -32000, message: 'internal', data: { reason: 'internal' } } }
    }
  }

  #ping(): void {
    if (document.visibilityState !== 'visible') return
    void this.#ask('ping', {}, pingAnswerMilliseconds).then((isAnswered) => {
      this.#unanswered = isAnswered ? 0 : this.#unanswered + 1
      if (this.#worker) this.#around.answers(this.#unanswered < 2)
    })
  }

  /** Asks the page something; whether it answered in time. */
  #ask(method: 'teardown' | 'ping', params: unknown, milliseconds: number): Promise<boolean> {
    const id = (this.#last += 1)
    return new Promise((resolve) => {
      const end = (isAnswered: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(isAnswered)
      }
      const timer = setTimeout(() => end(false), milliseconds)
      this.#waiting.set(id, () => end(true))
      this.#send({ jsonrpc: '2.0', id, method, params })
    })
  }

  #send(message: RpcMessage): void {
    // As JSON has it: what components watch over cannot be copied as it is.
    const plain = JSON.parse(JSON.stringify(message)) as RpcMessage
    this.#worker?.postMessage({ type: 'send', message: plain } satisfies ToWorker)
  }
}
