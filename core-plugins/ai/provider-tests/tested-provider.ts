import type { CallTimeouts, ProviderCall } from '../connection/call.ts'
import { openAnswer } from '../connection/open-answer.ts'
import type { ProviderConnection } from '../connection/provider-connection.ts'
import { readWhole } from '../connection/read-whole.ts'
import { askStream, askWhole } from '../relay/asked-answer.ts'
import { AnswerCollector } from '../wire/answer.ts'
import type { NeutralAnswer, NeutralEvent, NeutralRequest } from '../wire/neutral.ts'
import { SseParser } from '../wire/sse.ts'
import {
  UpstreamFaultError,
  type AskedOptions,
  type AskedVendor,
  type ChatOptions,
  type Vendor,
  type VendorCall,
} from '../wire/vendor.ts'

/** Of an answer that is no stream. */
const mostBytes = 4 * 1_048_576

/** What is asked, and with what. */
interface TestedProvider {
  readonly vendor: Vendor
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly timeouts: CallTimeouts
}

/** Asks a provider without the gateway: no route, no second try. Throws what went wrong, as the vendor's words have it. */
export class ProviderProbe {
  readonly #connection: ProviderConnection
  readonly #provider: TestedProvider
  readonly #signal: AbortSignal

  constructor(connection: ProviderConnection, provider: TestedProvider, signal: AbortSignal) {
    this.#connection = connection
    this.#provider = provider
    this.#signal = signal
  }

  /** The status of whatever stands at the address. */
  async reach(): Promise<number> {
    const { timeouts, baseUrl } = this.#provider
    const call: ProviderCall = { url: new URL(baseUrl), method: 'GET', headers: {}, body: undefined, timeouts }
    const answer = await openAnswer(this.#connection, call, this.#signal)
    answer.body.destroy()
    return answer.status
  }

  async models(): Promise<readonly string[]> {
    const { vendor, secrets } = this.#provider
    if (vendor.asked) {
      const options = this.#askedOptions
      return vendor.asked.readModels(await this.#whole(await vendor.asked.models(options)), options)
    }
    return vendor.readModels(vendor.local ? '' : await this.#whole(vendor.models(secrets)))
  }

  async chat(request: NeutralRequest, maxOutputTokens: number): Promise<NeutralAnswer> {
    const { vendor, secrets } = this.#provider
    const options = { upstreamModel: request.model, secrets, maxOutputTokens }
    const collector = new AnswerCollector()
    if (vendor.asked) {
      for (const event of await askWhole(await this.#ask(vendor.asked, request, options))) collector.push(event)
      return collector.answer
    }
    if (!vendor.local) return vendor.readAnswer(await this.#whole(vendor.chat(request, options)))
    for await (const event of vendor.local.chat(request, options, this.#signal)) collector.push(event)
    return collector.answer
  }

  /** Hears the steps of a stream; answers whether it was whole. */
  async stream(
    request: NeutralRequest,
    maxOutputTokens: number,
    hear: (event: NeutralEvent) => void,
  ): Promise<'complete' | 'truncated'> {
    const { vendor, secrets } = this.#provider
    const options = { upstreamModel: request.model, secrets, maxOutputTokens }
    if (vendor.local) {
      for await (const event of vendor.local.chat(request, options, this.#signal)) hear(event)
      return 'complete'
    }
    if (vendor.asked) return this.#streamAsked(await this.#ask(vendor.asked, request, options), hear)
    const answer = await openAnswer(this.#connection, this.#callOf(vendor.chat(request, options)), this.#signal)
    if (answer.status >= 400) {
      const body = Buffer.concat(await answer.body.toArray()).toString()
      throw new UpstreamFaultError(vendor.fault(answer.status, answer.headers, body))
    }
    const reader = vendor.reader()
    const parser = new SseParser()
    for await (const piece of answer.body) {
      for (const step of parser.push(piece as Buffer).flatMap((event) => reader.push(event))) {
        answer.began()
        hear(step)
      }
    }
    return reader.end()
  }

  get #askedOptions(): AskedOptions {
    return { secrets: this.#provider.secrets, signal: this.#signal }
  }

  async #ask(vendor: AskedVendor, request: NeutralRequest, { upstreamModel, maxOutputTokens }: ChatOptions) {
    const options = this.#askedOptions
    const call = this.#callOf(await vendor.chat(request, { ...options, upstreamModel, maxOutputTokens }))
    const reader = vendor.reader({ ...options, upstreamModel })
    return { connection: this.#connection, vendor, call, reader, options }
  }

  async #streamAsked(asked: Parameters<typeof askStream>[0], hear: (event: NeutralEvent) => void) {
    let isWhole = false
    for await (const steps of askStream(asked)) {
      isWhole ||= steps.some(({ type }) => type === 'finish')
      steps.forEach(hear)
    }
    return isWhole ? 'complete' : 'truncated'
  }

  async #whole(call: VendorCall): Promise<string> {
    const { vendor } = this.#provider
    const options = { maxBytes: mostBytes, signal: this.#signal }
    const { status, headers, body } = await readWhole(this.#connection, this.#callOf(call), options)
    const text = body.toString()
    if (status >= 200 && status < 300) return text
    const fault = vendor.asked?.fault(status, headers, text, this.#askedOptions) ?? vendor.fault(status, headers, text)
    throw new UpstreamFaultError(await fault)
  }

  #callOf({ method, path, headers, body }: VendorCall): ProviderCall {
    const { baseUrl, headers: own, timeouts } = this.#provider
    return { url: new URL(baseUrl + path), method, headers: { ...own, ...headers }, body, timeouts }
  }
}
