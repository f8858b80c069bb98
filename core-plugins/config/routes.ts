import { data, defineRoute, generateFernetKey, withEtag, type Route, type RouteAuth } from '#kernel'
import type { Audit } from '../access/contract.ts'
import type { ConfigWriter } from './contract.ts'
import type { GroupViews } from './group-view.ts'
import { presentTree } from './present.ts'
import { fernetKey, groupDetail, groupParams, groupTree, writeBody, writeResult } from './schemas.ts'
import { readWriteBody } from './write-body.ts'

/** One place the same endpoints stand at; the bare one follows the caller's token. */
interface Mount {
  readonly prefix: string
  readonly auth: RouteAuth
  readonly permission: (action: string) => NonNullable<Route['permission']>
}

const mounts: readonly Mount[] = [
  { prefix: '/admin/configs', auth: 'platform', permission: (action) => `platform_config:${action}` },
  { prefix: '/tenant/configs', auth: 'tenant', permission: (action) => `tenant_config:${action}` },
  {
    prefix: '/configs',
    auth: 'user',
    permission: (action) => ({ platform: `platform_config:${action}`, tenant: `tenant_config:${action}` }),
  },
]

/** Groups of configuration, at each of their three places. */
export function groupRoutes(writer: ConfigWriter, views: GroupViews): readonly Route[] {
  return mounts.flatMap(({ prefix, auth, permission }) => [
    defineRoute({
      method: 'get',
      path: `${prefix}/groups`,
      summary: 'List configuration groups as a tree, without values',
      auth,
      permission: permission('groups'),
      schema: { response: groupTree },
      handler: ({ principal, state }) => ({ items: presentTree(views.list(principal.tenantId), state.locale) }),
    }),
    defineRoute({
      method: 'get',
      path: `${prefix}/groups/{group_code}`,
      summary: 'Read a configuration group with its values',
      auth,
      permission: permission('detail'),
      schema: { params: groupParams, response: groupDetail },
      errors: [4049],
      async handler({ params, principal, state }) {
        const detail = await writer.describe(params.group_code, principal.tenantId, { locale: state.locale })
        return withEtag(detail, detail.etag)
      },
    }),
    defineRoute({
      method: 'put',
      path: `${prefix}/groups/{group_code}`,
      summary: 'Change values of a configuration group: all of them or, when one is not valid, none',
      auth,
      permission: permission('update'),
      schema: { params: groupParams, body: writeBody, response: writeResult },
      errors: [4003, 4049, 4120, 4222],
      async handler(ctx) {
        const { params, principal, state, body } = ctx
        const { values, reset } = readWriteBody(body)
        const { locale, traceId } = state
        const requireMatch = (etag: string): void => ctx.requireMatch(etag)
        const options = { actor: principal, reset, locale, traceId, requireMatch }
        const result = await writer.write(params.group_code, principal.tenantId, values, options)
        return data(result, { headers: { etag: `"${result.etag}"` } })
      },
    }),
  ])
}

/** New encryption keys, for the platform alone; the answer is the only place the key ever is. */
export function keyRoutes(audit: Audit): readonly Route[] {
  return ['/admin/configs', '/configs'].map((prefix) =>
    defineRoute({
      method: 'post',
      path: `${prefix}/generate-fernet-key`,
      summary: 'Make a key for the ring that seals secrets',
      auth: 'platform',
      permission: 'platform_config:update',
      idempotent: false,
      schema: { response: fernetKey },
      async handler({ principal, state }) {
        const target = 'config:fernet_key'
        await audit.record({
          tenantId: 0,
          actor: principal,
          action: 'config.key_generated',
          target,
          traceId: state.traceId,
        })
        return data({ key: generateFernetKey() }, { headers: { 'cache-control': 'no-store' } })
      },
    }),
  )
}
