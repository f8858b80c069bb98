import { sampleManifest } from './sample-package.ts'

/** What is known of one contact. */
export const contact = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    kind: { enum: ['person', 'company'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['name', 'kind'],
}
/** A method that takes something and answers with a contact. */
export const find = {
  ...{ name: 'find', handler: 'findContact', output: contact },
  input: {
    type: 'object',
    properties: { id: { type: 'integer' }, deep: { type: 'boolean', default: false } },
    required: ['id', 'deep'],
    additionalProperties: false,
  },
}
/** A method that says nothing of its answer. */
export const all = { name: 'all', handler: 'allContacts', input: { type: ['object', 'null'] } }
/** The manifest of a release that provides them in two services. */
export const provides = (version: string): Record<string, unknown> => ({
  ...{ name: 'acme.crm', version, capabilities: ['services:provide'], reasons: { 'services:provide': 'Looks up.' } },
  provides: {
    services: [
      { name: 'contacts', version, methods: [find, all] },
      { name: 'other', version, methods: [all] },
    ],
  },
})
/** Its code. */
export const provider =
  'export default { services: { findContact: () => ({ name: "Ann", kind: "person" }), allContacts: () => [] } }'
const uses = { 'acme.crm/contacts': '^1.0.0' }
/** The manifest of a plugin that uses one of the two. */
export const manifest = sampleManifest({
  ...{ name: 'acme.shop', capabilities: ['services:use'], reasons: { 'services:use': 'Shows who bought.' }, uses },
  tenant_routes: [{ method: 'POST', path: '/buyer', handler: 'buyer' }],
})
/** Its code: a handler that does this. */
export const route = (call: string): string => `import { definePlugin } from '@stoa/plugin-sdk'

export default definePlugin({
  handlers: {
    async buyer(request, ctx) {
      ${call}
    },
  },
})
`
/** Calls as they are to be. */
export const right = `const found = await ctx.services.call('acme.crm/contacts', 'find', { id: 7 })
      const kind: 'person' | 'company' = found.kind
      await ctx.services.call('acme.crm/contacts', 'all')
      return { name: found.name.toUpperCase(), kind, tags: found.tags?.length ?? 0 }`
