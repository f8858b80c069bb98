import type { ConfigItem } from './config-item.ts'
import type { LocalisedText, Names } from './vocabulary.ts'

/** What it adds to the platform. */
export interface Provided {
  readonly aiTools?: readonly AiTool[]
  readonly aiProviders?: readonly AiProvider[]
  readonly aiGuardrails?: readonly AiGuardrail[]
  readonly aiRouters?: readonly AiRouter[]
  readonly captcha?: CaptchaProvider | null
  readonly storageDrivers?: readonly StorageDriver[]
  readonly services?: readonly ProvidedService[]
}

/** What it does for other plugins. */
interface ProvidedService {
  /** Others call it `<plugin>/<name>`. */
  readonly name: string
  /** Semantic, of the service and not of the plugin. */
  readonly version: string
  readonly title?: LocalisedText
  readonly description?: LocalisedText
  readonly methods: readonly ServiceMethod[]
}

/** One function of a service. */
export interface ServiceMethod {
  readonly name: string
  /** Own property of the default export's `services`, or of its `handlers`. */
  readonly handler: string
  /** JSON Schema of its argument. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output?: Readonly<Record<string, unknown>>
  readonly effect?: 'read' | 'write' | 'external'
  readonly timeoutMs?: number
}

/** A function an AI agent may call. */
export interface AiTool {
  readonly name: string
  readonly title?: LocalisedText
  readonly description: LocalisedText
  /** JSON Schema of its argument. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output?: Readonly<Record<string, unknown>>
  readonly handler: string
  readonly effect?: 'read' | 'write' | 'external'
  readonly confirm?: 'never' | 'write' | 'always'
  readonly permission?: string
  readonly timeoutMs?: number
  readonly quotaCost?: number
}

/** A back end for AI models; the plugin maps messages, the host does the traffic and keeps the secrets. */
export interface AiProvider {
  readonly code: string
  readonly title: LocalisedText
  readonly config?: readonly ConfigItem[]
  /** Keys of `config` whose values the host puts into headers; the plugin sees placeholders. */
  readonly secrets?: readonly string[]
  readonly handlers: Names<'request' | 'chunk' | 'error' | 'models' | 'test' | 'embeddings'>
}

/** Looks at what people ask models and what models answer; it has one of the functions at least. */
export interface AiGuardrail {
  readonly code: string
  readonly title: LocalisedText
  readonly description?: LocalisedText
  readonly handlers: Names<GuardrailPhase>
  /** Of a call, 200 unless it says otherwise; the gateway's settings may say something else. */
  readonly timeoutMs?: number
  /** What a call that fails comes to unless the gateway's settings say something else: `closed`, which refuses. */
  readonly onError?: 'open' | 'closed'
  /** Characters of a streamed answer that are held back, so that what it looks for comes to it in one piece: 64. */
  readonly holdBackChars?: number
}

/** When a guardrail is asked: about a request, a whole answer, or an answer while it streams. */
export type GuardrailPhase = 'input' | 'output' | 'output_stream'

/** Says which target of a route takes a request. */
export interface AiRouter {
  readonly code: string
  readonly title: LocalisedText
  readonly description?: LocalisedText
  readonly handler: string
}

/** A captcha; `challenge` and `verify` are the exports of the default export's `captcha`. */
interface CaptchaProvider {
  readonly code: string
  readonly title: LocalisedText
  readonly description?: LocalisedText
  /** What is used while the plugin cannot answer. */
  readonly fallback?: 'image'
}

/** A place for files. */
export interface StorageDriver {
  readonly name: string
  readonly title: LocalisedText
  readonly config?: readonly ConfigItem[]
  readonly handlers: Names<'put' | 'get' | 'delete' | 'list' | 'stat' | 'test'>
}
