import { providedAnswers, type AiProvider } from '#sandbox'
import type { PluginAsker } from '../ask-plugin.ts'
import type {
  EmbeddingsWish,
  OwnedProvider,
  PluginProvider,
  PluginProviders,
  ProviderChunk,
  ProviderDelta,
  ProviderRequest,
  ProviderUse,
  ProviderWish,
} from '../contract.ts'
import type { Contributed, ContributedItems } from '../contributed.ts'
import { ProviderNotFoundError } from '../errors.ts'
import { fillSecrets, hideSecrets, maskSecrets } from './provider-secrets.ts'

const { checkDeltas, checkEmbeddings, checkMeaning, checkModels, checkRequest, checkTest } = providedAnswers

/** A mapping only rewrites what it is given. */
const wallMs = 2_000
/** Events that cross at once. */
const batch = 32
const optional = ['error', 'models', 'test', 'embeddings'] as const

type Mapping = keyof AiProvider['handlers']
type Known = Contributed<AiProvider>

/** Calls plugins' mappings; a secret goes no further than the header it was asked for in. */
export class ProviderMappings implements PluginProviders {
  readonly #items: ContributedItems<AiProvider>
  readonly #asker: PluginAsker

  constructor(items: ContributedItems<AiProvider>, asker: PluginAsker) {
    this.#items = items
    this.#asker = asker
  }

  list(tenantId: number): readonly PluginProvider[] {
    return this.#items.list(tenantId).map(present)
  }

  obstacle(provider: OwnedProvider): 'away' | 'paused' | undefined {
    const known = this.#find(provider)
    if (!known) return 'away'
    return this.#items.isPaused(known) ? 'paused' : undefined
  }

  async request(use: ProviderUse, wish: ProviderWish | EmbeddingsWish): Promise<ProviderRequest> {
    const known = this.#get(use)
    const { headers, ...request } = checkRequest(await this.#map(known, use, 'request', { wish }))
    const filled = Object.entries(headers).map(([name, value]) => {
      return [name, fillSecrets(known.item, use.config, value)] as const
    })
    return { ...request, headers: Object.fromEntries(filled) }
  }

  async chunk(use: ProviderUse, { events, state: before }: ProviderChunk) {
    const known = this.#get(use)
    const deltas: ProviderDelta[] = []
    let state: unknown = before ?? null
    for (let at = 0; at < events.length; at += batch) {
      const shown = events
        .slice(at, at + batch)
        .map((event) => ({ ...event, data: this.#mask(known, use, event.data) }))
      const mapped = checkDeltas(await this.#map(known, use, 'chunk', { events: shown, state }))
      deltas.push(...mapped.deltas)
      state = mapped.state
    }
    return { deltas, state }
  }

  async error(use: ProviderUse, answer: Parameters<PluginProviders['error']>[1]) {
    const known = this.#get(use)
    if (known.item.handlers.error === undefined) return undefined
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, this.#mask(known, use, value)]),
    )
    const shown = { status: answer.status, headers, body: this.#mask(known, use, answer.body) }
    return checkMeaning(await this.#map(known, use, 'error', shown))
  }

  async models(use: ProviderUse, body: string) {
    const known = this.#get(use)
    if (known.item.handlers.models === undefined) return undefined
    return checkModels(await this.#map(known, use, 'models', { body: this.#mask(known, use, body) }))
  }

  async embeddings(use: ProviderUse, body: string) {
    const known = this.#get(use)
    if (known.item.handlers.embeddings === undefined) return undefined
    return checkEmbeddings(await this.#map(known, use, 'embeddings', { body: this.#mask(known, use, body) }))
  }

  async test(use: ProviderUse, answer: Parameters<PluginProviders['test']>[1]) {
    const known = this.#get(use)
    if (known.item.handlers.test === undefined) return undefined
    const shown = { ...answer, body: this.#mask(known, use, answer.body) }
    return checkTest(await this.#map(known, use, 'test', shown))
  }

  #mask({ item }: Known, { config }: ProviderUse, text: string): string {
    return maskSecrets(item, config, text)
  }

  async #map({ plugin, item }: Known, use: ProviderUse, mapping: Mapping, input: object): Promise<unknown> {
    const { release, grants } = plugin
    const { tenantId, callerId = tenantId, config, traceId, signal, spent } = use
    const call = {
      ...{ release, grants, tenantId: callerId, isPure: true, wallMs: wallMs },
      target: { kind: 'provider' as const, name: item.handlers[mapping] ?? '' },
      input: JSON.stringify({ ...input, config: { ...defaultsOf(item), ...hideSecrets(item, config) } }),
      ...(traceId !== undefined && { traceId }),
      ...(signal && { signal }),
    }
    return (await this.#asker.ask(call, spent)).value
  }

  #find({ plugin, code, tenantId }: OwnedProvider): Known | undefined {
    const known = this.#items.find(plugin, code)
    return known && this.#items.isOffered(known, tenantId) ? known : undefined
  }

  #get(use: OwnedProvider): Known {
    const known = this.#find(use)
    if (!known) throw new ProviderNotFoundError({ provider: use.code })
    return known
  }
}

/** What the settings are that nobody filled in. */
function defaultsOf({ config = [] }: AiProvider): Readonly<Record<string, unknown>> {
  return Object.fromEntries(config.flatMap(({ key, default: usual }) => (usual === undefined ? [] : [[key, usual]])))
}

function labelled(option: NonNullable<NonNullable<AiProvider['config']>[number]['options']>[number]) {
  return typeof option === 'string' ? { value: option, label: { default: option } } : option
}

function present({ plugin, item }: Known): PluginProvider {
  const { code, title, config = [], secrets = [], handlers } = item
  return {
    ...{ plugin: plugin.release.name, code, title, secrets },
    config: config.map(({ key, type, label = { default: key }, required = false, default: otherwise, options }) => {
      return { key, type, label, required, default: otherwise, options: options?.map(labelled) }
    }),
    mappings: optional.filter((name) => handlers[name] !== undefined),
  }
}
