import type { Knex } from 'knex'
import { created, defineRoute, deletedBody, readPage, withEtag, type Principal, type Route } from '#kernel'
import { forceQuery } from '../force-query.ts'
import { canaryFigures } from './canary-figures.ts'
import type { PresentedModel } from './present.ts'
import { modelBody, modelChange, modelPage, modelParams, modelQuery, newModel } from './schemas.ts'
import type { HealthReader } from '../health-shape.ts'
import type { ModelService } from './service.ts'
import { newVersion, versionAnswer, versionList } from './version-schemas.ts'
import type { ModelVersions } from './versions.ts'
import { demand } from '../permissions.ts'

const path = '/admin/ai/models'
const sortable = ['-created_at', 'name', 'display_name', 'kind', 'status', 'updated_at']

/** The endpoints of models; all that is shown of one says how it is. */
export function modelRoutes(
  models: ModelService,
  versions: ModelVersions,
  states: HealthReader,
  db: Knex,
): readonly Route[] {
  const well = async (reader: Principal, model: PresentedModel) =>
    (await states.onModels(reader, [model]))[0] as PresentedModel
  return [
    defineRoute({
      method: 'get',
      path,
      summary: 'List AI models',
      permission: demand('ai_model:list'),
      schema: { query: modelQuery, response: modelPage },
      handler: async ({ principal, query }) => {
        const page = await models.list(principal, readPage(query, sortable), query)
        return { ...page, items: await states.onModels(principal, page.items) }
      },
    }),
    defineRoute({
      method: 'post',
      path,
      summary: 'Add an AI model with its first version',
      permission: demand('ai_model:create'),
      answers: [201],
      schema: { body: newModel, response: modelBody },
      errors: [4040, 4229],
      handler: async (ctx) => created(await well(ctx.principal, await models.create(ctx.body, ctx))),
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{model_id}`,
      summary: 'Read an AI model with all its versions',
      permission: demand('ai_model:detail'),
      answers: [200, 304],
      schema: { params: modelParams, response: modelBody },
      errors: [4048],
      handler: async ({ principal, params }) =>
        tagged(await well(principal, await models.get(principal, params.model_id))),
    }),
    defineRoute({
      method: 'put',
      path: `${path}/{model_id}`,
      summary: 'Change names, state, tags and capabilities of an AI model; what is absent stays',
      permission: demand('ai_model:update'),
      schema: { params: modelParams, body: modelChange, response: modelBody },
      errors: [4048, 4120, 4229],
      handler: async (ctx) =>
        tagged(await well(ctx.principal, await models.update(ctx.params.model_id, ctx.body, ctx))),
    }),
    defineRoute({
      method: 'delete',
      path: `${path}/{model_id}`,
      summary: 'Delete an AI model; usage keeps naming it',
      permission: demand('ai_model:delete'),
      schema: { params: modelParams, query: forceQuery, response: deletedBody },
      errors: [4048, 4095],
      handler: async (ctx) => {
        await models.delete(ctx.params.model_id, ctx, ctx.query.force ?? false)
        return { deleted: true }
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/{model_id}/versions`,
      summary: 'List the versions of an AI model, oldest first, with how a canary goes',
      permission: demand('ai_model:detail'),
      schema: { params: modelParams, response: versionList },
      errors: [4048],
      async handler({ principal, params }) {
        const model = await models.get(principal, params.model_id)
        return { items: model.versions ?? [], comparison: await canaryFigures(db, model) }
      },
    }),
    defineRoute({
      method: 'post',
      path: `${path}/{model_id}/versions`,
      summary:
        'Add a version of an AI model, at once, later or for a part of the requests; or go back to an earlier one',
      permission: demand('ai_model:version'),
      answers: [200, 201],
      schema: { params: modelParams, body: newVersion, response: versionAnswer },
      errors: [4048, 4120, 4229],
      handler: async (ctx) => {
        const { isNew, ...change } = await versions.add(ctx.params.model_id, ctx.body, ctx)
        return isNew ? created(change) : change
      },
    }),
  ]
}

function tagged(model: PresentedModel) {
  return withEtag(model, String(model.version))
}
