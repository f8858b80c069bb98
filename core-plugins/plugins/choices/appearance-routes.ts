import { defineRoute, type Route } from '#kernel'
import { stillRunning } from '../shared/answer-schemas.ts'
import { pluginDetail } from '../shared/plugin-schemas.ts'
import { pluginParams } from '../shared/schemas.ts'
import type { PluginChanges } from '../changes/plugin-changes.ts'
import { changeIcon } from './change-icon.ts'
import { changeMenu, type MenuEntryChange } from './change-menu.ts'
import { receiveIcon } from './receive-icon.ts'
import type { ChoiceNeeds, IconNeeds } from './needs.ts'

const title = {
  type: 'object',
  required: ['default'],
  maxProperties: 20,
  propertyNames: { pattern: '^(default|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$' },
  additionalProperties: { type: 'string', minLength: 1, maxLength: 64, pattern: '\\S' },
} as const
const menuBody = {
  type: 'object',
  additionalProperties: false,
  required: ['entries'],
  properties: {
    entries: {
      type: ['array', 'null'],
      maxItems: 50,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id'],
        properties: {
          id: { type: 'string', minLength: 1, maxLength: 64 },
          hidden: { type: ['boolean', 'null'] },
          title: { anyOf: [title, { type: 'null' }] },
          order: { type: ['integer', 'null'], minimum: -1_000_000, maximum: 1_000_000 },
        },
      },
    },
  },
} as const

/** How a plugin looks in the console, under one prefix: its menu entries and its picture. */
export function appearanceRoutes(changes: PluginChanges<ChoiceNeeds & IconNeeds>, prefix: string): readonly Route[] {
  const plugin = `${prefix}/{plugin_id}`
  return [
    defineRoute({
      method: 'put',
      path: `${plugin}/menu-config`,
      summary: 'Hide, name and order menu entries of a plugin; null puts back what its package says',
      auth: 'platform',
      permission: 'platform_plugin:menu',
      answers: [200, stillRunning],
      schema: { params: pluginParams, body: menuBody, response: pluginDetail },
      errors: [4046, 4092],
      handler({ params, body, principal, state }) {
        const entries = body.entries as readonly MenuEntryChange[] | null
        const asked = { principal, locale: state.locale }
        return changes.change(params.plugin_id, asked, (parts, row, actor) => changeMenu(parts, row, entries, actor))
      },
    }),
    defineRoute({
      method: 'post',
      path: `${plugin}/icon`,
      summary: 'Show another picture for a plugin: a PNG or WebP of at most 1 MB and 1024 pixels',
      auth: 'platform',
      permission: 'platform_plugin:icon',
      accepts: ['multipart'],
      answers: [200, stillRunning],
      schema: { params: pluginParams, response: pluginDetail },
      errors: [4046, 4092, 4130, 4225, 4226],
      async handler(ctx) {
        const icon = await receiveIcon(ctx)
        const asked = { principal: ctx.principal, locale: ctx.state.locale }
        return changes.change(ctx.params.plugin_id, asked, (parts, row, actor) => changeIcon(parts, row, icon, actor))
      },
    }),
    defineRoute({
      method: 'delete',
      path: `${plugin}/icon`,
      summary: "Show the package's picture for a plugin again",
      auth: 'platform',
      permission: 'platform_plugin:icon',
      answers: [200, stillRunning],
      schema: { params: pluginParams, response: pluginDetail },
      errors: [4046, 4092],
      handler({ params, principal, state }) {
        const asked = { principal, locale: state.locale }
        return changes.change(params.plugin_id, asked, (parts, row, actor) => changeIcon(parts, row, null, actor))
      },
    }),
  ]
}
