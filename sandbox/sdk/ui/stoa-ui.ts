import { earlyFaults, type EarlyFaults } from './early-faults.ts'
import { watchFaults, type PageFault } from './page-faults.ts'
import type {
  Heard,
  Hello,
  Initialized,
  PageAnswer,
  PageContext,
  PageRequest,
  RpcError,
  RpcMessage,
} from './protocol.ts'
import { StoaError } from './stoa-error.ts'

export { StoaError } from './stoa-error.ts'
export type { AnswerError, Heard, PageAnswer, PageContext, PageRequest } from './protocol.ts'

const version = '1.0.0'
const connectMilliseconds = 10_000
/** Places with a size of their own. */
const fixed = new Set(['page', 'header_widget', 'floating_panel'])

type Query = PageRequest['query']
type Listener = (value: never) => void

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** The console around a page. */
class Stoa {
  context: PageContext
  readonly #port: MessagePort
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<keyof Heard, Set<Listener>>()
  #last = 0

  constructor(port: MessagePort) {
    this.#port = port
    this.context = {} as PageContext
    port.onmessage = ({ data }: MessageEvent<RpcMessage>) => this.#take(data)
  }

  async begin(): Promise<void> {
    const { context } = (await this.#ask('initialize', { protocol: 1, sdk: version })) as Initialized
    this.#apply(context)
  }

  // The data that a route answers with; throws a StoaError for a refusal.
  get = (path: string, query: Query = {}) => this.#data({ method: 'GET', path, query })
  delete = (path: string, query: Query = {}) => this.#data({ method: 'DELETE', path, query })
  post = (path: string, body?: unknown) => this.#data({ method: 'POST', path, body })
  put = (path: string, body?: unknown) => this.#data({ method: 'PUT', path, body })
  patch = (path: string, body?: unknown) => this.#data({ method: 'PATCH', path, body })

  /** The answer as it is, refusals too. */
  async request(request: PageRequest): Promise<PageAnswer> {
    return (await this.#ask('request', request)) as PageAnswer
  }

  async navigate(
    to: string | { readonly slot: string; readonly route?: string } | { readonly console: string },
    { replace = false }: { readonly replace?: boolean } = {},
  ): Promise<void> {
    await this.#ask('navigate', typeof to === 'string' ? { to, replace } : to)
    if (typeof to === 'string') this.#arrive(to)
  }
  async openLink(url: string): Promise<boolean> {
    return ((await this.#ask('openLink', { url })) as { opened: boolean }).opened
  }
  resize(height: number): void {
    this.#tell('resize', { height })
  }
  setTitle(title: string): void {
    this.#tell('setTitle', { title })
  }
  setBadge(count: number | null): void {
    this.#tell('setBadge', { count })
  }
  setDirty(dirty: boolean): void {
    this.#tell('setDirty', { dirty })
  }
  notify(text: string, level: 'info' | 'success' | 'warning' | 'error' = 'info'): void {
    this.#tell('notify', { level, text })
  }
  async confirm(question: {
    readonly title: string
    readonly text: string
    readonly confirm?: string
    readonly danger?: boolean
  }): Promise<boolean> {
    return ((await this.#ask('confirm', question)) as { confirmed: boolean }).confirmed
  }
  async copy(text: string): Promise<void> {
    await this.#ask('copy', { text })
  }
  async download(
    file: { readonly name: string } & ({ readonly path: string } | { readonly mime: string; readonly base64: string }),
  ): Promise<void> {
    await this.#ask('download', file)
  }
  readonly preferences = {
    set: (values: Readonly<Record<string, unknown>>) => this.#ask('preferences.set', { values }),
    reset: (keys?: readonly string[]) => this.#ask('preferences.reset', keys ? { keys } : {}),
  }
  /** Whether the user holds a permission of this plugin, by its short code. */
  can(code: string): boolean {
    return this.context.user.permissions.includes(code)
  }
  /** Hears of something until the returned function is called. */
  on<W extends keyof Heard>(what: W, listener: (value: Heard[W]) => void): () => void {
    const all = this.#listeners.get(what) ?? new Set<Listener>()
    this.#listeners.set(what, all.add(listener))
    return () => void all.delete(listener)
  }
  /** Tells that the page may be shown. */
  ready(): void {
    this.#tell('ready', {})
  }
  close(): void {
    this.#tell('close', {})
  }
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, stack?: string): void {
    this.#tell('log', { level, message, ...(stack !== undefined && { stack }) })
  }

  async #data(request: PageRequest): Promise<unknown> {
    const answer = await this.request(request)
    if (!answer.ok) throw new StoaError(answer.status, answer.error)
    const { body } = answer
    return body !== null && typeof body === 'object' && 'data' in body ? body.data : body
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const id = (this.#last += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send({ jsonrpc: '2.0', id, method, params })
    })
  }
  #tell(method: string, params: unknown): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }
  #send(message: RpcMessage): void {
    // As JSON has it: what cannot be said so is left out here rather than refused there.
    this.#port.postMessage(JSON.parse(JSON.stringify(message)))
  }

  #take({ id, method, params, result, error }: RpcMessage): void {
    if (method !== undefined) return this.#hear(method, params, id)
    const waiting = this.#waiting.get(id as number)
    if (!waiting) return
    this.#waiting.delete(id as number)
    if (error) waiting.reject(refusalOf(error))
    else waiting.resolve(result)
  }

  #hear(method: string, params: unknown, id: RpcMessage['id']): void {
    if (id !== undefined) this.#send({ jsonrpc: '2.0', id, result: {} })
    if (method === 'context.changed') this.#apply(params as Partial<PageContext>)
    if (method === 'route.changed') this.#arrive((params as { readonly route: string }).route)
    if (method === 'event') this.#say('event', params)
    if (method === 'teardown') this.#say('teardown', params)
  }

  #arrive(route: string): void {
    this.context = { ...this.context, route }
    this.#say('route', route)
  }

  #apply(changed: Partial<PageContext>): void {
    this.context = { ...this.context, ...changed }
    const root = document.documentElement
    const { locale, theme, density, displayMode, styles } = this.context
    root.lang = locale
    root.dataset['theme'] = theme
    root.dataset['density'] = density
    root.dataset['mode'] = displayMode
    root.style.setProperty('color-scheme', theme)
    for (const [name, value] of Object.entries(styles.variables)) root.style.setProperty(name, value)
    this.#say('context', this.context)
    if (changed.visible !== undefined) this.#say('visible', changed.visible)
  }

  #say(what: keyof Heard, value: unknown): void {
    for (const listener of this.#listeners.get(what) ?? []) (listener as (value: unknown) => void)(value)
  }
}

export type { Stoa }

function refusalOf({ code, message, data }: RpcError): StoaError {
  return new StoaError(0, { code, message, reason: data?.reason ?? 'internal' })
}

/** Keeps the height of the frame that of the page, where a frame has none of its own. */
function followHeight(stoa: Stoa): void {
  if (fixed.has(stoa.context.slot.kind)) return
  const root = document.documentElement
  new ResizeObserver(() => stoa.resize(Math.ceil(root.getBoundingClientRect().height))).observe(root)
}

/** The console does not hear the keys of a page: one that has no use for Esc itself is closed by it. */
function closeByEscape(stoa: Stoa): void {
  addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    // It closes these of the page first.
    if (!document.querySelector('dialog:modal, :popover-open')) stoa.close()
  })
}

/** Connects the page to the console that it is shown in. Rejects after 10 s where there is none. */
export async function connect({ autoResize = true }: { readonly autoResize?: boolean } = {}): Promise<Stoa> {
  const early = (globalThis as { readonly [earlyFaults]?: EarlyFaults })[earlyFaults]
  early?.speaks()
  const port = await new Promise<MessagePort>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('This page is not shown in a console that answers it.')),
      connectMilliseconds,
    )
    addEventListener('message', function take({ source, data, ports: [given] }: MessageEvent<unknown>) {
      if (source !== parent || (data as { stoa?: unknown } | null)?.stoa !== 'port' || !given) return
      clearTimeout(timer)
      removeEventListener('message', take)
      resolve(given)
    })
    const hello: Hello = { stoa: 'hello', protocols: [1], sdk: version, path: location.pathname }
    parent.postMessage(hello, '*')
  })
  const stoa = new Stoa(port)
  await stoa.begin()
  const tell = ({ message, stack }: PageFault): void => stoa.log('error', message, stack)
  early?.take().forEach(tell)
  watchFaults(tell)
  if (autoResize) followHeight(stoa)
  if (stoa.context.slot.kind === 'floating_panel') closeByEscape(stoa)
  return stoa
}
