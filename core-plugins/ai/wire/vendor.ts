import type {
  NeutralAnswer,
  NeutralEmbeddingRequest,
  NeutralEmbeddings,
  NeutralEvent,
  NeutralRequest,
} from './neutral.ts'

/** The types of providers that the platform speaks itself. */
export type VendorType = 'openai_compatible' | 'azure_openai' | 'ollama' | 'anthropic' | 'gemini' | 'demo'

/** A request to a vendor; the path is the part below the provider's base URL. */
export interface VendorCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Fields of the client's request that this vendor was not told, since it has no word for them. */
  readonly dropped: readonly string[]
  /** The wire that it is in, where the vendor speaks several and this is not its usual one: its answer is read by that. */
  readonly wire?: string
}

/** What a vendor's refusal or failure means; `message` holds no secret and may be shown. */
export interface UpstreamFault {
  readonly class:
    | 'auth'
    | 'rate_limit'
    | 'overloaded'
    | 'bad_request'
    | 'context_length'
    | 'content_filter'
    | 'not_found'
    | 'server'
    | 'bad_response'
  /** The vendor's HTTP status; 0 for what came within a stream or could not be read. */
  readonly status: number
  readonly message: string
  readonly retryAfterMs?: number
}

/** A fault that is thrown: by a reader at an error frame, and by whoever reads an answer that is none. */
export class UpstreamFaultError extends Error implements UpstreamFault {
  readonly class: UpstreamFault['class']
  readonly status: number
  readonly retryAfterMs?: number

  constructor(fault: UpstreamFault) {
    super(fault.message)
    this.name = 'UpstreamFaultError'
    this.class = fault.class
    this.status = fault.status
    if (fault.retryAfterMs !== undefined) this.retryAfterMs = fault.retryAfterMs
  }
}

/** One event of a stream as it stands between its blank lines. */
export interface WireEvent {
  readonly event?: string
  readonly data: string
}

/** Reads one stream. `push` throws an UpstreamFaultError at an error frame and at what cannot be read. */
export interface StreamReader {
  push(event: WireEvent): readonly NeutralEvent[]
  /** Whether the stream that ended here was whole. */
  end(): 'complete' | 'truncated'
}

/** For whom a call is made ready. */
interface VendorOptions {
  readonly upstreamModel: string
  readonly secrets: Readonly<Record<string, string>>
}

/** Adds to the options what an answer may cost. */
export interface ChatOptions extends VendorOptions {
  readonly maxOutputTokens: number
  /** What is known of the model, by the names of its `capabilities`. */
  readonly capabilities?: Readonly<Record<string, boolean>>
}

/** How the answer is to be read: with `frames` the vendor's own events come along, for a client of the same wire. */
export interface ReadOptions {
  readonly frames?: boolean
  /** That of the call, where it has one. */
  readonly wire?: string | undefined
}

/** A vendor's wire format. No I/O in it. */
export interface Vendor {
  readonly type: VendorType | 'plugin'
  /** The name of its wire; a dialect of the same one may be passed through. */
  readonly wire: string
  /** Throws CannotCarryError for what this vendor has no word for and without which the request would mean something else. */
  chat(request: NeutralRequest, options: ChatOptions): VendorCall
  embeddings?(request: NeutralEmbeddingRequest, options: VendorOptions): VendorCall
  /** Asks which models there are, which costs nothing. */
  models(secrets: Readonly<Record<string, string>>): VendorCall
  /** The names of the models; throws an UpstreamFaultError. */
  readModels(body: string): readonly string[]
  readAnswer(body: string, options?: ReadOptions): NeutralAnswer
  readEmbeddings?(body: string): NeutralEmbeddings
  reader(options?: ReadOptions): StreamReader
  fault(status: number, headers: Readonly<Record<string, string>>, body: string): UpstreamFault
  /** Answers without a network; a vendor that has this is never dialled. */
  local?: LocalVendor
  /** Somebody else knows its wire; a vendor that has this is asked there alone. */
  asked?: AskedVendor
}

/** What answers in the process itself. */
interface LocalVendor {
  chat(request: NeutralRequest, options: ChatOptions, signal: AbortSignal): AsyncIterable<NeutralEvent>
  embed(request: NeutralEmbeddingRequest): NeutralEmbeddings
}

/** For whom a vendor is asked. */
export interface AskedOptions extends Pick<ChatOptions, 'secrets'> {
  /** Whose words they are; 0 is the platform. The provider's own tenant unless given. */
  readonly tenantId?: number | undefined
  readonly traceId?: string
  readonly signal: AbortSignal
  /** Told what each question cost in the sandbox, in milliseconds of CPU. */
  readonly spent?: (cpuMs: number) => void
}

/** Reads one answer. Throws an UpstreamFaultError at an error of the vendor's and at what cannot be read. */
export interface AskedReader {
  /** Raw events of a stream, or the one body of an answer that is none. */
  read(events: readonly WireEvent[]): Promise<readonly NeutralEvent[]>
}

/** A wire format that somebody else knows: everything is asked, and takes its time. No I/O of the vendor's in it. */
export interface AskedVendor {
  /** Why it is not called now; from memory. */
  obstacle(): string | undefined
  /** Throws CannotCarryError, and an UpstreamFaultError where nobody answers. */
  chat(request: NeutralRequest, options: AskedOptions & ChatOptions): Promise<VendorCall>
  reader(options: AskedOptions & Pick<ChatOptions, 'upstreamModel'>): AskedReader
  /** What a refusal means; never throws. */
  fault(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
    options: AskedOptions,
  ): Promise<UpstreamFault>
  /** Undefined where it makes no vectors; throws CannotCarryError, and an UpstreamFaultError where nobody answers. */
  embeddings(
    request: NeutralEmbeddingRequest,
    options: AskedOptions & Pick<ChatOptions, 'upstreamModel'>,
  ): Promise<VendorCall | undefined>
  /** Throws an UpstreamFaultError. */
  readEmbeddings(body: string, options: AskedOptions): Promise<NeutralEmbeddings>
  /** Asks which models there are. */
  models(options: AskedOptions): Promise<VendorCall>
  /** Their names; throws an UpstreamFaultError, of the class `not_found` where nobody knows. */
  readModels(body: string, options: AskedOptions): Promise<readonly string[]>
}
