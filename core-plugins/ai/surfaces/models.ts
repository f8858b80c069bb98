import { raw } from '#kernel'
import { AiModelNotFoundError } from '../errors.ts'
import { agentName, listAgents } from './agents.ts'
import { hasScope, isListed } from './caller.ts'
import type { ListedModel, SurfaceKey, SurfaceParts } from './ports.ts'

type Form = 'openai' | 'anthropic'
type Parts = Pick<SurfaceParts, 'modelsFor' | 'agents' | 'relay'>

/**
 * The models that a key may use, then the agents, in OpenAI's form, or in Anthropic's for clients that say its version. Throws 403/4036 where
 * AI is switched off.
 */
export async function listModels(key: SurfaceKey, parts: Parts, form: Form): Promise<unknown> {
  await parts.relay.demandOpen(key.tenantId)
  const models = [...usableModels(key, parts), ...(await listAgents(key, parts)).map(named)]
  const data = models.map((model) => presentModel(model, model.names[0], form))
  if (form === 'openai') return json({ object: 'list', data })
  const [first, last] = [models[0], models.at(-1)]
  return json({ data, has_more: false, first_id: first?.names[0] ?? null, last_id: last?.names[0] ?? null })
}

/** One of them, by name or alias; throws 403/4036 and 404/4048. */
export async function getModel(name: string, key: SurfaceKey, parts: Parts, form: Form): Promise<unknown> {
  await parts.relay.demandOpen(key.tenantId)
  const agents = name.startsWith(agentName('')) ? await listAgents(key, parts) : []
  const models = [...usableModels(key, parts), ...agents.map(named)]
  const found = models.find(({ names }) => names.includes(name))
  if (!found) throw new AiModelNotFoundError()
  return json(presentModel(found, name, form))
}

/** A model with what a key may call it by, the first of which a list shows. */
type UsableModel = ListedModel & { readonly names: readonly [string, ...string[]] }

function named(model: ListedModel): UsableModel {
  return { ...model, names: [model.name, ...model.aliases] }
}

function usableModels(key: SurfaceKey, { modelsFor }: Parts): readonly UsableModel[] {
  const [chats, embeds] = [hasScope(key, 'chat'), hasScope(key, 'embeddings')]
  // A key for agents alone sees nothing else; one that only lists models may be for those that it does not call.
  if (key.scopes.includes('agents') && !chats && !embeds) return []
  const isFor = ({ kind }: ListedModel): boolean => chats === embeds || (kind === 'embedding' ? embeds : chats)
  return modelsFor(key.tenantId)
    .filter(isFor)
    .flatMap((model) => {
      if (isListed(key.models, model.name)) return [named(model)]
      const [first, ...others] = model.aliases.filter((alias) => isListed(key.models, alias))
      return first === undefined ? [] : [{ ...model, names: [first, ...others] as const }]
    })
}

function presentModel({ displayName, createdAt }: ListedModel, id: string, form: Form): object {
  if (form === 'anthropic') {
    return { type: 'model', id, display_name: displayName, created_at: createdAt.toISOString() }
  }
  return { id, object: 'model', created: Math.floor(createdAt.getTime() / 1000), owned_by: 'stoa' }
}

function json(value: object): unknown {
  return raw(JSON.stringify(value), 'application/json; charset=utf-8')
}
