import { defineRoute, type Route } from '#kernel'
import { getPlugin } from '../shared/find-plugin.ts'
import type { ChoiceNeeds } from './needs.ts'
import type { Catalogue } from '../reading/catalogue.ts'
import { stillRunning } from '../shared/answer-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import { asked } from '../changes/asked.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import { capabilities } from './schemas.ts'
import { changeCapabilities } from './change-capabilities.ts'
import { presentCapabilities } from './present-capabilities.ts'

const body = {
  type: 'object',
  additionalProperties: false,
  required: ['granted'],
  properties: {
    granted: { type: 'array', maxItems: 32, uniqueItems: true, items: { type: 'string', minLength: 1, maxLength: 64 } },
  },
} as const

/** What the routes of capabilities stand on. */
interface CapabilityRouteParts {
  readonly parts: ChoiceNeeds
  readonly catalogue: Catalogue
  readonly changes: PluginChanges<ChoiceNeeds>
}

/** What a plugin may do, under one prefix. */
export function capabilityRoutes(
  { parts, catalogue, changes }: CapabilityRouteParts,
  prefix: string,
): readonly Route[] {
  const shared = { path: `${prefix}/{plugin_id}/capabilities`, auth: 'platform' } as const
  const read = async (id: string) => presentCapabilities(await catalogue.facts(await getPlugin(parts.db, id)))
  return [
    defineRoute({
      ...shared,
      method: 'get',
      summary: 'Read what a plugin asks for, what it was granted and what is left of that',
      permission: 'platform_plugin:detail',
      schema: { params: pluginParams, response: capabilities },
      errors: [4046],
      handler: ({ params }) => read(params.plugin_id),
    }),
    defineRoute({
      ...shared,
      method: 'put',
      summary: 'Take capabilities back from a plugin, or give it again what it asks for',
      permission: 'platform_plugin:capabilities',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body, response: capabilities },
      errors: [4046, 4092, 4094],
      handler(ctx) {
        const { params, principal } = ctx
        return changes.perform(
          params.plugin_id,
          asked(ctx),
          (_parts, plugin) => changeCapabilities(parts, plugin, ctx.body.granted, principal),
          () => read(params.plugin_id),
        )
      },
    }),
  ]
}
