import { defineRoute, type Route } from '#kernel'
import { allHostModules } from '#sandbox'

const text = { type: 'string' } as const
const hostModulesBody = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'version'],
        additionalProperties: false,
        properties: { name: text, version: text },
      },
    },
  },
} as const

/** What plugins may import of this platform, under one prefix. */
export function hostModuleRoutes(prefix: string): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: `${prefix}/host-modules`,
      summary: 'List the modules that this platform ships for plugins',
      auth: 'platform',
      permission: 'platform_plugin:list',
      schema: { response: hostModulesBody },
      handler: () => ({ items: allHostModules.map(({ name, version }) => ({ name, version })) }),
    }),
  ]
}
