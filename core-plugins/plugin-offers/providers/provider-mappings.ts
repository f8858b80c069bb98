import type { AiProvider, Sandbox } from '#sandbox'
import type { PluginProvider, PluginProviders, ProviderChunk, ProviderRequest, ProviderUse } from '../contract.ts'
import { checkDeltas, checkMeaning, checkModels, checkRequest, checkTest } from './provider-answers.ts'
import { fillSecrets, hideSecrets, maskSecrets } from './provider-secrets.ts'
import type { KnownProvider, ProviderTable } from './provider-table.ts'

/** A mapping only rewrites what it is given. */
const WALL_MS = 2_000
/** Events that cross at once. */
const BATCH = 32

type Mapping = keyof AiProvider['handlers']

/** Calls plugins' mappings; a secret goes no further than the header it was asked for in. */
export class ProviderMappings implements PluginProviders {
  readonly #table: ProviderTable
  readonly #sandbox: Pick<Sandbox, 'answer'>

  constructor(table: ProviderTable, sandbox: Pick<Sandbox, 'answer'>) {
    this.#table = table
    this.#sandbox = sandbox
  }

  list(tenantId: number): readonly PluginProvider[] {
    return this.#table.list(tenantId)
  }

  async request(use: ProviderUse, wish: Readonly<Record<string, unknown>>): Promise<ProviderRequest> {
    const known = this.#table.get(use)
    const { headers, ...request } = checkRequest(await this.#map(known, use, 'request', { wish }))
    const filled = Object.entries(headers).map(([name, value]) => {
      return [name, fillSecrets(known.provider, use.config, value)] as const
    })
    return { ...request, headers: Object.fromEntries(filled) }
  }

  async chunk(use: ProviderUse, { events, state: before }: ProviderChunk) {
    const known = this.#table.get(use)
    const deltas: unknown[] = []
    let state: unknown = before ?? null
    for (let at = 0; at < events.length; at += BATCH) {
      const shown = events
        .slice(at, at + BATCH)
        .map((event) => ({ ...event, data: this.#mask(known, use, event.data) }))
      const mapped = checkDeltas(await this.#map(known, use, 'chunk', { events: shown, state }))
      deltas.push(...mapped.deltas)
      state = mapped.state
    }
    return { deltas, state }
  }

  async error(use: ProviderUse, answer: Parameters<PluginProviders['error']>[1]) {
    const known = this.#table.get(use)
    if (known.provider.handlers.error === undefined) return undefined
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, this.#mask(known, use, value)]),
    )
    const shown = { status: answer.status, headers, body: this.#mask(known, use, answer.body) }
    return checkMeaning(await this.#map(known, use, 'error', shown))
  }

  async models(use: ProviderUse, body: string) {
    const known = this.#table.get(use)
    if (known.provider.handlers.models === undefined) return undefined
    return checkModels(await this.#map(known, use, 'models', { body: this.#mask(known, use, body) }))
  }

  async test(use: ProviderUse, answer: Parameters<PluginProviders['test']>[1]) {
    const known = this.#table.get(use)
    if (known.provider.handlers.test === undefined) return undefined
    const shown = { ...answer, body: this.#mask(known, use, answer.body) }
    return checkTest(await this.#map(known, use, 'test', shown))
  }

  #mask({ provider }: KnownProvider, { config }: ProviderUse, text: string): string {
    return maskSecrets(provider, config, text)
  }

  async #map({ plugin, provider }: KnownProvider, use: ProviderUse, mapping: Mapping, input: object): Promise<unknown> {
    const { release, grants } = plugin
    const text = await this.#sandbox.answer({
      release,
      grants,
      target: { kind: 'provider', name: provider.handlers[mapping] ?? '' },
      input: JSON.stringify({ ...input, config: hideSecrets(provider, use.config) }),
      tenant: use.tenant,
      isPure: true,
      wallMs: WALL_MS,
      ...(use.traceId !== undefined && { traceId: use.traceId }),
      ...(use.signal && { signal: use.signal }),
    })
    return JSON.parse(text)
  }
}
