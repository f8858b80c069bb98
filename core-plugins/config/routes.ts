import { data, defineRoute, generateFernetKey, withEtag, type Route, type Scope, withAlias } from '#kernel'
import type { Audit } from '../access/contract.ts'
import { createChangePresenter } from './changes/present.ts'
import { changeRoutes } from './changes/routes.ts'
import type { ConfigWriter } from './contract.ts'
import type { GroupViews } from './reading/group-view.ts'
import { differingValues } from './reading/differing-values.ts'
import { countOwnValues } from './reading/own-values.ts'
import { mounts } from './mounts.ts'
import { presentTree } from './present.ts'
import { publicRoutes } from './public/routes.ts'
import {
  differing,
  fernetKey,
  groupDetail,
  groupParams,
  groupTree,
  ownValues,
  tenantParams,
  writeBody,
  writeResult,
} from './schemas.ts'
import type { Configuration } from './service.ts'
import { sslRoutes } from './ssl/routes.ts'
import { readWriteBody } from './writing/write-body.ts'

/** Every endpoint of configuration. */
export function configRoutes(scope: Scope, configuration: Configuration, audit: Audit): readonly Route[] {
  const { catalogue, reader, writer, views, decisions, codec, names } = configuration
  return [
    ...groupRoutes(writer, views),
    ...tenantRoutes(scope, configuration),
    ...changeRoutes(decisions, createChangePresenter(catalogue, codec, names)),
    ...sslRoutes(scope, reader),
    ...keyRoutes(audit),
    ...publicRoutes(scope, configuration),
  ]
}

/** Groups of configuration, at each of their three places. */
function groupRoutes(writer: ConfigWriter, views: GroupViews): readonly Route[] {
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
      answers: [200, 304],
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
      answers: [200, 202],
      schema: { params: groupParams, body: writeBody, response: writeResult },
      errors: [4003, 4049, 4093, 4120, 4222],
      async handler(ctx) {
        const { params, principal, state, body } = ctx
        const { values, reset } = readWriteBody(body)
        const { locale, traceId, ip } = state
        const requireMatch = (etag: string): void => ctx.requireMatch(etag)
        const options = { actor: principal, reset, locale, traceId, ip, requireMatch }
        const result = await writer.write(params.group_code, principal.tenantId, values, options)
        const isHeld = result.pending.length > 0 && result.updated.length + result.reset.length === 0
        return data(result, { status: isHeld ? 202 : 200, headers: { etag: `"${result.etag}"` } })
      },
    }),
  ])
}

/** A tenant's settings, for whoever runs the platform. */
function tenantRoutes({ db }: Pick<Scope, 'db'>, { views, codec }: Configuration): readonly Route[] {
  return withAlias('/admin/configs', '/configs', (prefix) => [
    defineRoute({
      method: 'get',
      path: `${prefix}/tenants/{tenant_id}/differences`,
      summary: 'List what a tenant has set otherwise than the platform',
      auth: 'platform',
      permission: 'platform_config:detail',
      schema: { params: tenantParams, response: differing },
      async handler({ params: { tenant_id: tenantId }, state: { locale } }) {
        const levels = await views.levels(tenantId)
        return { items: [...differingValues(views, codec, { tenantId, levels, locale })] }
      },
    }),
    defineRoute({
      method: 'get',
      path: `${prefix}/groups/{group_code}/tenants`,
      summary: 'Count the tenants that have their own values of a group of theirs',
      auth: 'platform',
      permission: 'platform_config:detail',
      schema: { params: groupParams, response: ownValues },
      errors: [4049],
      async handler({ params }) {
        return { items: [...(await countOwnValues(db, codec, views.get(params.group_code, 0), await views.levels(0)))] }
      },
    }),
  ])
}

/** New encryption keys, for the platform alone; the answer is the only place the key ever is. */
function keyRoutes(audit: Audit): readonly Route[] {
  return withAlias('/admin/configs', '/configs', (prefix) => [
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
  ])
}
