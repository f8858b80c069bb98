import { defineRoute, NotFoundError, redirect, type Route } from '#kernel'
import type { AssetTable } from './serving/asset-table.ts'
import type { ConsolePage } from './serving/page.ts'
import { sendAsset } from './serving/send-asset.ts'

const immutable = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}
/** What a worker may do is said by the file that it begins with: this, and ask for more of our files. */
const scripts = {
  ...immutable,
  'content-security-policy': "default-src 'none'; script-src 'self'; base-uri 'none'; frame-ancestors 'none'",
}
// What looks for a file is told that there is none; names of plugins, which have dots, are pages.
const file = /\.(css|html?|ico|js|json|map|mjs|php|png|svg|txt|webmanifest|woff2?|xml)$/i
const hidden = { method: 'get', auth: 'none', hidden: true } as const

/** Scripts, styles and pictures, whose names change with their contents. */
export function assetRoutes(assets: AssetTable): readonly Route[] {
  return [
    defineRoute({
      ...hidden,
      path: '/console/assets/{file*}',
      summary: 'Read a file of the console',
      schema: { params: rest('file') },
      async handler(ctx) {
        const asset = await assets.find(`assets/${ctx.params.file}`)
        if (asset) return sendAsset(ctx, asset, asset.contentType.startsWith('text/javascript') ? scripts : immutable)
        ctx.setHeader('cache-control', 'no-store')
        throw new NotFoundError()
      },
    }),
  ]
}

/** The page at every path of the console, and what leads to it. */
export function pageRoutes(page: ConsolePage): readonly Route[] {
  const shown = { ...hidden, summary: 'Open the console' } as const
  return [
    defineRoute({
      ...hidden,
      path: '/',
      summary: 'Lead people to the console, and programs to the description of this interface',
      handler: (ctx) =>
        redirect(prefersPages(ctx.header('accept')) ? '/console/' : '/openapi.json', { headers: { vary: 'Accept' } }),
    }),
    defineRoute({ ...shown, path: '/console', handler: () => redirect('/console/', { status: 308 }) }),
    defineRoute({ ...shown, path: '/console/', handler: (ctx) => page.answer(ctx) }),
    defineRoute({ ...shown, path: '/console/build.json', handler: (ctx) => page.build(ctx) }),
    defineRoute({
      ...shown,
      path: '/console/{path*}',
      schema: { params: rest('path') },
      handler(ctx) {
        if (file.test(ctx.params.path)) throw new NotFoundError()
        return page.answer(ctx)
      },
    }),
  ]
}

/** Whether somebody asks who reads HTML rather than JSON: browsers name it, programs do not. */
function prefersPages(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}

function rest<const N extends string>(name: N) {
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } } as Record<N, { type: 'string' }>,
  } as const
}
