import { randomUUID } from 'node:crypto'
import type { PluginProviders, ProviderDelta, ProviderUse } from '../../plugin-offers/contract.ts'
import type { NeutralEvent } from '../wire/neutral.ts'
import { UpstreamFaultError, type AskedReader, type WireEvent } from '../wire/vendor.ts'
import { unreadable } from '../wire/vendors/said.ts'
import { classOf, faultOfPlugin } from './faults.ts'

/** Reads an answer as a plugin says what stands in it. */
export class DeltaReader implements AskedReader {
  readonly #plugins: Pick<PluginProviders, 'chunk'>
  readonly #use: ProviderUse
  readonly #model: string
  /** Calls that have a name. */
  readonly #calls = new Set<number>()
  #state: unknown = null
  #hasBegun = false
  #hasFinished = false

  constructor(plugins: Pick<PluginProviders, 'chunk'>, use: ProviderUse, model: string) {
    this.#plugins = plugins
    this.#use = use
    this.#model = model
  }

  async read(events: readonly WireEvent[]): Promise<readonly NeutralEvent[]> {
    if (events.length === 0) return []
    const { deltas, state } = await this.#plugins
      .chunk(this.#use, { events, state: this.#state })
      .catch((error: unknown) => {
        throw faultOfPlugin(error)
      })
    this.#state = state
    return deltas.flatMap((delta) => this.#stepsOf(delta))
  }

  #stepsOf(delta: ProviderDelta): readonly NeutralEvent[] {
    if (delta.type === 'start') return this.#begin(delta)
    const step = this.#stepOf(delta)
    return step ? [...this.#begin({}), step] : []
  }

  /** Once, before anything else. */
  #begin({
    id = `plugin-${randomUUID()}`,
    model = this.#model,
  }: {
    id?: string
    model?: string
  }): readonly NeutralEvent[] {
    if (this.#hasBegun) return []
    this.#hasBegun = true
    return [{ type: 'start', id, model }]
  }

  #stepOf(delta: Exclude<ProviderDelta, { type: 'start' }>): NeutralEvent | undefined {
    switch (delta.type) {
      case 'text':
      case 'refusal':
        return { type: delta.type, text: delta.text }
      case 'reasoning':
        return { type: 'reasoning', vendor: `plugin.${this.#use.plugin}`, text: delta.text }
      case 'tool_call':
        return this.#callOf(delta)
      case 'usage': {
        const { type, ...told } = delta
        return { type, usage: { cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, ...told } }
      }
      case 'finish': {
        if (this.#hasFinished) return undefined
        this.#hasFinished = true
        return { type: 'finish', reason: delta.reason }
      }
      case 'error': {
        const { class: word, message = 'The provider broke its answer off' } = delta
        throw new UpstreamFaultError({ class: classOf(word, 0), status: 0, message })
      }
    }
  }

  #callOf({ index, id, name, arguments: text }: Extract<ProviderDelta, { type: 'tool_call' }>): NeutralEvent {
    const more = text === undefined ? {} : { arguments: text }
    if (this.#calls.has(index)) return { type: 'tool_call', index, ...more }
    if (name === undefined) throw unreadable('A call of a tool has no name')
    this.#calls.add(index)
    return { type: 'tool_call', index, id: id ?? `call_${randomUUID().replaceAll('-', '')}`, name, ...more }
  }
}
