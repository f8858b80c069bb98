/** What a page says first, to the window around it. */
export interface Hello {
  readonly stoa: 'hello'
  readonly protocols: readonly number[]
  readonly sdk: string
  /** Of the page, which tells whose it is. */
  readonly path: string
}

/** What the console answers it with, beside the port for everything else. */
export interface PortOffer {
  readonly stoa: 'port'
  readonly protocol: 1
}

/** A message of the port, as JSON-RPC 2.0 has them. */
export interface RpcMessage {
  readonly jsonrpc: '2.0'
  readonly id?: number | string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: RpcError
}

/** Why a request was not done. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: { readonly reason: RefusalReason }
}

/** What -32000 is told with. */
export type RefusalReason =
  'forbidden' | 'not_found' | 'rate_limited' | 'too_large' | 'timeout' | 'refused_by_user' | 'gone' | 'internal'

/** What a page is told of where it is and for whom. */
export interface PageContext {
  readonly plugin: { readonly name: string; readonly version: string; readonly title: string }
  readonly slot: {
    readonly id: string
    readonly kind: SlotKind
    readonly area: 'admin' | 'tenant'
    readonly title: string
  }
  readonly tenant: { readonly id: number; readonly code: string; readonly name: string } | null
  /** The codes of this plugin alone, without its name. */
  readonly user: { readonly id: number; readonly permissions: readonly string[] }
  readonly locale: string
  readonly timeZone: string
  readonly dateFormat: string
  readonly theme: 'light' | 'dark'
  readonly density: string
  readonly styles: { readonly variables: Readonly<Record<string, string>> }
  readonly container: { readonly width: number; readonly height?: number; readonly maxHeight?: number }
  readonly displayMode: 'inline' | 'page' | 'panel'
  readonly route: string
  readonly visible: boolean
  readonly online: boolean
  readonly preferences: Readonly<Record<string, unknown>>
  /** Of a page within a notification: what the plugin told the reader there. */
  readonly notification?: PageNotification
}

/** A notification that a page of its plugin is shown in. */
export interface PageNotification {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly level: 'info' | 'success' | 'warning' | 'error'
  readonly link: string | null
  readonly createdAt: string
}

/** The places that pages of plugins have. */
export type SlotKind =
  'page' | 'dashboard_widget' | 'settings_tab' | 'header_widget' | 'floating_panel' | 'notification_ui'

/** What the console answers a page's first request with. */
export interface Initialized {
  readonly protocol: 1
  readonly host: { readonly name: 'stoa'; readonly version: string }
  readonly context: PageContext
  readonly methods: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

/** A request to the plugin's own routes. */
export interface PageRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the plugin's own routes, beginning with a slash. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>
  readonly body?: unknown
  readonly headers?: { readonly accept?: string }
  readonly as?: 'json' | 'text' | 'base64'
  /** For the routes that are open to everybody. */
  readonly scope?: 'public'
  /** At most 30,000, which it is unless said otherwise. */
  readonly timeoutMs?: number
}

/** The answer to it. */
export type PageAnswer =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: unknown
    }
  | { readonly ok: false; readonly status: number; readonly error: AnswerError }

/** What a plugin's route or the platform refused a request with. */
export interface AnswerError {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly errors?: readonly { readonly field: string; readonly rule: string; readonly message: string }[]
  readonly traceId: string
}

/** What a page is told of while it is open, each with its value. */
export interface Heard {
  /** Something of where it is or for whom changed: the whole of it. */
  readonly context: PageContext
  /** Somebody went back or forward inside of the page. */
  readonly route: string
  /** The plugin published an event of its own: its whole name, and what was published. */
  readonly event: { readonly type: string; readonly payload: unknown }
  /** The page is about to be taken away. */
  readonly teardown: unknown
  /** It is seen, or not any more. */
  readonly visible: boolean
}
