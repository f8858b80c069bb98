import { defineRoute, raw, versionOfText, withEtag, type Reply, type Route, type RouteContext } from '#kernel'
import type { ConfigReader, ConfigWriter } from '../../contract.ts'
import { legalPagePolicy, writeLegalPage } from './legal-page.ts'
import { readLegalText, type LegalTextType } from './legal-text.ts'
import { prefersHtml } from './prefers-html.ts'
import { legalBody } from './schemas.ts'

const summaries = {
  privacy: 'Read the privacy policy of the tenant that the host names, as data or as a page',
  terms: 'Read the terms of service of the tenant that the host names, as data or as a page',
} as const

/** The legal texts of tenants, for everybody. */
export function legalRoutes(reader: ConfigReader, writer: ConfigWriter): readonly Route[] {
  return (['privacy', 'terms'] as const).map((type) => legalRoute(type, reader, writer))
}

function legalRoute(type: LegalTextType, reader: ConfigReader, writer: ConfigWriter): Route {
  return defineRoute({
    method: 'get',
    path: `/api/public/tenant/legal/${type}`,
    summary: summaries[type],
    auth: 'none',
    tenant: 'required',
    produces: ['application/json', 'text/html'],
    answers: [200, { types: ['text/html'] }, 304],
    schema: { response: legalBody },
    errors: [4042],
    async handler(ctx) {
      const found = await readLegalText(type, ctx.tenant, reader, writer)
      ctx.setHeader('vary', 'Accept')
      if (!prefersHtml(ctx.header('accept'))) return withEtag(found, versionOfText(JSON.stringify(found)))
      return replyWithPage(writeLegalPage(found, ctx.tenant.name), ctx)
    },
  })
}

/** 200 with the page's version, or 304 when the reader has it. */
function replyWithPage(page: string, ctx: Pick<RouteContext, 'isFresh'>): Reply {
  const etag = `W/"${versionOfText(page)}"`
  const headers = { etag, 'content-security-policy': legalPagePolicy, 'cache-control': 'no-cache' }
  const isKnown = ctx.isFresh(etag)
  return raw(isKnown ? '' : page, 'text/html; charset=utf-8', { headers, status: isKnown ? 304 : 200 })
}
