import { raw } from '#kernel'
import { AiModelNotFoundError } from '../errors.ts'
import { agentName, listAgents } from './agents.ts'
import { hasScope, isListed } from './caller.ts'
import type { ListedModel, SurfaceKey, SurfaceParts } from './ports.ts'

type Form = 'openai' | 'anthropic'
type Parts = Pick<SurfaceParts, 'modelsFor' | 'agents'>

/** The models that a key may use, then the agents, in OpenAI's form, or in Anthropic's for clients that say its version. */
export async function listModels(key: SurfaceKey, parts: Parts, form: Form): Promise<unknown> {
  const models = [...usableModels(key, parts), ...(await listAgents(key, parts))]
  const data = models.map((model) => presentModel(model, model.name, form))
  if (form === 'openai') return json({ object: 'list', data })
  const [first, last] = [models[0], models.at(-1)]
  return json({ data, has_more: false, first_id: first?.name ?? null, last_id: last?.name ?? null })
}

/** One of them, by name or alias; throws 404/4048. */
export async function getModel(name: string, key: SurfaceKey, parts: Parts, form: Form): Promise<unknown> {
  const agents = name.startsWith(agentName('')) ? await listAgents(key, parts) : []
  const models = [...usableModels(key, parts), ...agents]
  const found = models.find((model) => model.name === name || model.aliases.includes(name))
  if (!found) throw new AiModelNotFoundError()
  return json(presentModel(found, name, form))
}

function usableModels(key: SurfaceKey, { modelsFor }: Parts): readonly ListedModel[] {
  // A key for agents alone sees nothing else; one that lists models may be for those that it does not call.
  if (key.scopes.includes('agents') && !hasScope(key, 'chat') && !hasScope(key, 'embeddings')) return []
  return modelsFor(key.tenantId).filter(({ name }) => isListed(key.models, name))
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
