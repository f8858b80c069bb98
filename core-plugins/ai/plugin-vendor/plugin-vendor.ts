import type { PluginProviders, ProviderUse } from '../../plugin-offers/contract.ts'
import type { PluginProviderName, ProviderRow } from '../tables.ts'
import type { NeutralEmbeddings } from '../wire/neutral.ts'
import { parseRetryAfter } from '../wire/retry-after.ts'
import {
  UpstreamFaultError,
  type AskedOptions,
  type AskedVendor,
  type Vendor,
  type VendorCall,
} from '../wire/vendor.ts'
import { writeOpenAiRequest } from '../wire/vendors/openai-compatible/request.ts'
import { unreadable } from '../wire/vendors/said.ts'
import { DeltaReader } from './delta-reader.ts'
import { classOf, faultOfPlugin } from './faults.ts'

type Provider = Pick<ProviderRow, 'tenantId' | 'settings'> & { readonly plugin: PluginProviderName }

/** One name for the limit of output, whatever the client calls it. */
const words = { authorization: 'bearer', maxTokensField: 'max_tokens' } as const
const obstacles = { away: 'its plugin does not run here', paused: 'its plugin failed too often' } as const

/** A vendor whose words a plugin knows. The plugin maps; connections, secrets and everything else stay here. */
export function createPluginVendor(provider: Provider, plugins: PluginProviders): Vendor {
  return {
    type: 'plugin',
    wire: 'plugin',
    chat: neverAlone,
    models: neverAlone,
    readModels: neverAlone,
    readAnswer: neverAlone,
    reader: neverAlone,
    fault: neverAlone,
    asked: createAsked(provider, plugins),
  }
}

function createAsked({ plugin, tenantId, settings }: Provider, plugins: PluginProviders): AskedVendor {
  const owned = { plugin: plugin.name, code: plugin.provider, tenantId }
  const useOf = ({ secrets, tenantId: callerId = tenantId, traceId, signal, spent }: AskedOptions): ProviderUse => ({
    ...{ ...owned, callerId, signal, config: { ...settings, ...secrets } },
    ...(traceId !== undefined && { traceId }),
    ...(spent && { spent }),
  })
  return {
    obstacle() {
      const obstacle = plugins.obstacle(owned)
      return obstacle && obstacles[obstacle]
    },
    async chat(request, options) {
      // The words that most authors know; what another dialect has beside them is left out there.
      const { body, dropped } = writeOpenAiRequest(request, { ...options, secrets: {} }, words)
      const wish = { kind: 'chat' as const, stream: request.stream, body: JSON.parse(body) as object }
      return { ...(await send(() => plugins.request(useOf(options), wish as Wish))), dropped }
    },
    reader(options) {
      return new DeltaReader(plugins, useOf(options), options.upstreamModel)
    },
    async fault(status, headers, body, options) {
      const told = await plugins.error(useOf(options), { status, headers, body }).catch(() => undefined)
      const retryAfterMs = told?.retryAfterSeconds ? told.retryAfterSeconds * 1_000 : parseRetryAfter(headers)
      return {
        ...{ status, class: classOf(told?.class, status) },
        message: told?.message ?? `The provider answered ${String(status)}`,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }
    },
    async embeddings({ input, dimensions }, { upstreamModel: model, ...options }) {
      const own = plugins.list(tenantId).find((each) => each.plugin === plugin.name && each.code === plugin.provider)
      if (!own?.mappings.includes('embeddings')) return undefined
      const body = { model, input, ...(dimensions !== undefined && { dimensions }) }
      return { ...(await send(() => plugins.request(useOf(options), { kind: 'embeddings', body }))), dropped: [] }
    },
    async readEmbeddings(body, options) {
      const told = await plugins.embeddings(useOf(options), body).catch((error: unknown) => {
        throw faultOfPlugin(error)
      })
      if (told) return { vectors: told.vectors, usage: usageOf(told.inputTokens) }
      throw unreadable('The plugin does not read vectors')
    },
    async models(options) {
      return { ...(await send(() => plugins.request(useOf(options), { kind: 'models' }))), dropped: [] }
    },
    async readModels(body, options) {
      const models = await plugins.models(useOf(options), body).catch((error: unknown) => {
        throw faultOfPlugin(error)
      })
      if (models) return models.map(({ id }) => id)
      throw new UpstreamFaultError({
        class: 'not_found',
        status: 0,
        message: 'The plugin does not read lists of models',
      })
    },
  }
}

function usageOf(inputTokens: number | undefined): NeutralEmbeddings['usage'] {
  if (inputTokens === undefined) return undefined
  return { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 }
}

type Wish = Parameters<PluginProviders['request']>[1]

/** What the plugin wants to be sent, as it goes out. */
async function send(ask: () => ReturnType<PluginProviders['request']>): Promise<Omit<VendorCall, 'dropped'>> {
  const { method, path, headers, body } = await ask().catch((error: unknown) => {
    throw faultOfPlugin(error, 'request')
  })
  const hasBody = method === 'POST' && body !== null && body !== undefined
  return {
    ...{ method, path, body: hasBody ? JSON.stringify(body) : undefined },
    headers: hasBody ? { 'content-type': 'application/json', ...headers } : headers,
  }
}

function neverAlone(): never {
  throw unreadable('A plugin has to be asked')
}
