import { AppError, InternalError, type Bus, type Logger } from '#kernel'
import type { AiLedger, ToolHold } from '../../ai-ledger/contract.ts'
import type { ToolOutcome } from '../../plugin-offers/contract.ts'
import { McpQuotaError } from '../errors.ts'
import { argumentFaults } from '../tools/check-argument.ts'
import { isObject, type JsonObject } from '../wire/json-rpc.ts'
import type { McpCaller } from './caller.ts'
import type { CallContext, Offer } from './offers.ts'

/** What calls stand on. */
interface CallParts {
  readonly ledger: Pick<AiLedger, 'tool'>
  readonly bus: Bus
  readonly log: Logger
}

const cancelChannel = 'mcp.cancel'
/** Beyond what a tool may take, for what is settled late. */
const moreMs = 30_000
const longestText = 262_144

/** A call that is let in and not made yet. */
interface ReadyCall {
  /** Makes it; whatever goes wrong is a result. */
  run(): Promise<JsonObject>
}

/** Calls of tools: held in the ledger before, counted after, and ended when the client says so, on whichever host. */
export class McpCalls implements Disposable {
  readonly #parts: CallParts
  readonly #running = new Map<string, AbortController>()
  readonly #heard: Disposable

  constructor(parts: CallParts) {
    this.#parts = parts
    this.#heard = parts.bus.subscribe(
      cancelChannel,
      (word) => void this.#stop((word as { readonly call: string }).call),
    )
  }

  [Symbol.dispose](): void {
    this.#heard[Symbol.dispose]()
  }

  /** Throws 429/4296 where a quota does not let it in. */
  async ready(offer: Offer, input: unknown, context: CallContext, id: string | undefined): Promise<ReadyCall> {
    const { caller } = context
    const faults = argumentFaults(offer.schema, input)
    if (faults.length > 0) {
      const text = faults.map(({ field, message }) => `${field} ${message}`).join('; ')
      return { run: () => Promise.resolve(failed(`The arguments do not fit: ${text}`)) }
    }
    const hold = await this.#hold(offer, caller)
    return { run: () => this.#run(offer, input, context, { hold, id }) }
  }

  /** Ends a call that its client gave up. */
  async cancel(id: string): Promise<void> {
    if (!this.#stop(id)) await this.#parts.bus.publish(cancelChannel, { call: id })
  }

  #stop(id: string): boolean {
    const control = this.#running.get(id)
    control?.abort()
    return control !== undefined
  }

  async #run(
    offer: Offer,
    input: unknown,
    context: CallContext,
    { hold, id }: { readonly hold: ToolHold; readonly id: string | undefined },
  ): Promise<JsonObject> {
    const control = new AbortController()
    const signal = AbortSignal.any([context.signal, control.signal, AbortSignal.timeout(offer.timeoutMs + moreMs)])
    if (id !== undefined) this.#running.set(id, control)
    let cpuMs = 0
    try {
      const outcome = await this.#outcome(offer, input, { ...context, signal, spent: (took) => (cpuMs = took) })
      const isGone = context.signal.aborted || control.signal.aborted
      hold.end({ outcome: isGone ? 'client_abort' : outcome.ok ? 'ok' : 'upstream_error', cpuMs })
      return isGone ? failed('The call was given up') : present(outcome)
    } finally {
      if (id !== undefined && this.#running.get(id) === control) this.#running.delete(id)
    }
  }

  async #outcome(offer: Offer, input: unknown, context: CallContext): Promise<ToolOutcome> {
    try {
      return await offer.call(input, context)
    } catch (error) {
      const isMeant = error instanceof AppError
      if (!isMeant && !context.signal.aborted) this.#parts.log.error({ err: error, tool: offer.name }, 'a tool failed')
      const { code, reason, message } = isMeant ? error : new InternalError()
      return { ok: false, code, reason, message }
    }
  }

  async #hold({ name, provider, units = 1, timeoutMs }: Offer, { user, tenant, key }: McpCaller): Promise<ToolHold> {
    const spender = {
      tenantId: tenant.id,
      ...(user.userId !== 0 && { userId: user.userId }),
      ...(key && { keyId: key.id }),
    }
    const held = await this.#parts.ledger.tool({ spender, tool: name, provider, units, ttlMs: timeoutMs + 2 * moreMs })
    if ('hold' in held) return held.hold
    const { quotaName: quota, quotaId, resetsAt } = held.refused
    const wait = resetsAt ? Math.max(1, Math.ceil((resetsAt.getTime() - Date.now()) / 1_000)) : undefined
    const headers = wait === undefined ? {} : { 'retry-after': String(wait) }
    throw new McpQuotaError({ quota }, { details: { quota: quotaId }, headers })
  }
}

function present(outcome: ToolOutcome): JsonObject {
  if (!outcome.ok) {
    const faults = (outcome.errors ?? []).map(({ field, message }) => `${field}: ${message}`).join('; ')
    return failed(faults === '' ? outcome.message : `${outcome.message} (${faults})`)
  }
  const { content } = outcome
  const text = typeof content === 'string' ? content : (JSON.stringify(content) ?? 'null')
  const isCut = text.length > longestText
  const shown = isCut ? `${text.slice(0, longestText).toWellFormed()}\n[cut]` : text
  const structured = !isCut && isObject(content) ? { structuredContent: content } : {}
  return { content: [{ type: 'text', text: shown }], ...structured, isError: false }
}

function failed(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true }
}
