import { raw } from '#kernel'
import { AiModelNotFoundError } from '../errors.ts'
import { isListed } from './caller.ts'
import type { ListedModel, SurfaceKey, SurfaceParts } from './ports.ts'

type Form = 'openai' | 'anthropic'

/** The models that a key may use, in OpenAI's form, or in Anthropic's for clients that say its version. */
export function listModels(key: SurfaceKey, { modelsFor }: Pick<SurfaceParts, 'modelsFor'>, form: Form): unknown {
  const models = modelsFor(key.tenantId).filter(({ name }) => isListed(key.models, name))
  const data = models.map((model) => presentModel(model, model.name, form))
  if (form === 'openai') return json({ object: 'list', data })
  const [first, last] = [models[0], models.at(-1)]
  return json({ data, has_more: false, first_id: first?.name ?? null, last_id: last?.name ?? null })
}

/** One of them, by name or alias; throws 404/4048. */
export function getModel(
  name: string,
  key: SurfaceKey,
  { modelsFor }: Pick<SurfaceParts, 'modelsFor'>,
  form: Form,
): unknown {
  const found = modelsFor(key.tenantId).find((model) => model.name === name || model.aliases.includes(name))
  if (!found || !isListed(key.models, found.name)) throw new AiModelNotFoundError()
  return json(presentModel(found, name, form))
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
