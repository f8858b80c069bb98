import { packSmall } from '../../support/small-plugin.ts'

/** A plugin that hands on every call of `ctx.attachments`, and takes forms. */
export function packFiles(name: string, capabilities: readonly string[]): Promise<Buffer> {
  const form = { method: 'POST', path: '/forms', handler: 'form', body: 'multipart', maxFiles: 3, maxFileMb: 1 }
  const call = { method: 'POST', path: '/call', handler: 'call' }
  return packSmall(
    name,
    {
      capabilities,
      reasons: Object.fromEntries(capabilities.map((capability) => [capability, 'For the test.'])),
      tenant_routes: [call, ...(capabilities.includes('attachments:write') ? [form] : [])],
      admin_routes: [call],
      public_routes: [
        { ...call, path: '/call', auth: 'none' },
        ...(capabilities.includes('attachments:write') ? [{ ...form, auth: 'none' }] : []),
      ],
    },
    `{ handlers: {
      async call({ body }, ctx) {
        // No request brings a NUL as far as here.
        const args = JSON.parse(JSON.stringify(body.args).replaceAll('NUL', '\\\\u0000'))
        return (await ctx.attachments[body.name](...args)) ?? null
      },
      async form({ body }, ctx) {
        if (body.fields.fails === 'early') throw new Error('it fails')
        if (body.fields.keeps === 'yes') for (const { id } of body.files) await ctx.attachments.keep(id)
        if (body.fields.fails === 'late') return { status: 422, body: { message: 'not like this' } }
        return body
      },
    } }`,
  )
}
