import {
  TenantNotRecognisedError,
  withoutEffect,
  type Reply,
  type RequestState,
  type Route,
  type RouteContext,
} from '#kernel'
import type { AttachmentOwner } from '../broker/attachments.ts'
import { CapabilityMissingError, PluginRateLimitedError } from '../errors.ts'
import { permissionCode } from '../manifest/names.ts'
import type { PluginRoute, PublicRoute } from '../manifest/plugin-manifest.ts'
import { effectiveLimits } from '../effective-limits.ts'
import type { GateUse, Release, Sandbox } from '../services.ts'
import type { Grants } from '../grants.ts'
import { presentRequest } from './guest-request.ts'
import { toReply } from './guest-response.ts'
import { demandFormSize, formBounds, FormReceiver, type FormFiles, type ReceivedForm } from './receive-form.ts'
import type { StreamSink } from '../broker/stream-sink.ts'
import { createGuestUsers } from './guest-user.ts'
import { oneFile } from './one-file.ts'
import { streamAnswer } from './stream-answer.ts'

/** The three places a plugin's routes stand in. */
type RouteArea = 'admin' | 'tenant' | 'public'

/** What every route of a plugin stands on. */
interface RouteParts {
  readonly release: Release
  readonly grants: Grants
  readonly sandbox: Sandbox
}

type Declared = PluginRoute | PublicRoute

const areas = {
  admin: { prefix: (name: string) => `/admin/plugins/${name}/api`, auth: 'platform' },
  tenant: { prefix: (name: string) => `/tenant/plugins/${name}/api`, auth: 'tenant' },
  public: { prefix: (name: string) => `/api/public/plugins/${name}/api`, auth: 'none' },
} as const
const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const
const kilobyte = 1_024

/** All routes of a plugin, as the kernel takes them. */
export function compileRoutes(parts: RouteParts): readonly Route[] {
  const { admin_routes = [], tenant_routes = [], public_routes = [] } = parts.release.manifest
  const ofPlatform = ({ principal }: RequestState): boolean => principal?.scope === 'platform'
  const ofTenants = createAudience(parts)
  return [
    ...admin_routes.map((route) => compileRoute('admin', route, parts, ofPlatform)),
    ...tenant_routes.map((route) => compileRoute('tenant', route, parts, ofTenants)),
    ...public_routes.map((route) => compileRoute('public', route, parts, ofTenants)),
  ]
}

/** Who reads of the plugin in the description of the interface: whoever is signed in where it is; a stranger learns of no plugin. */
function createAudience({ release, sandbox }: RouteParts): (state: RequestState) => boolean {
  const { name } = release.manifest
  return ({ principal }) => {
    if (!principal || principal.scope === 'platform') return principal !== undefined
    const gate = sandbox.services.gate(name, principal.tenantId, 'view')
    // One that is closed for a while is there all the same.
    return gate.open || gate.error.status !== 404
  }
}

function compileRoute(
  area: RouteArea,
  declared: Declared,
  parts: RouteParts,
  shownTo: NonNullable<Route['shownTo']>,
): Route {
  const { name, title } = parts.release.manifest
  const { method, path, summary } = declared
  const { prefix, auth } = areas[area]
  const permission = 'permission' in declared ? declared.permission : undefined
  const admit = createGate(area, method === 'GET' ? 'read' : 'write', parts)
  return {
    method: methods[method],
    path: prefix(name) + path.replace(/:([a-z][a-z0-9_]*)/g, '{$1}'),
    summary: summary ?? `${method} ${path} of ${title.default}`,
    auth,
    admit,
    shownTo,
    ...(area === 'public' ? { tenant: 'optional' } : {}),
    ...(permission === undefined ? {} : { permission: permissionCode(name, permission) }),
    ...limitOf(declared, name),
    ...acceptsOf(area, declared),
    ...(declared.maxBodyKb === undefined ? {} : { maxBodyBytes: declared.maxBodyKb * kilobyte }),
    answers: 'any',
    errors: [4044, 4038, 4298, 4299, 5004, 5008, 5029, 5035, 5040],
    handler: createHandler(area, declared, parts, admit),
  }
}

/** Throws unless the plugin runs for the caller's tenant: to anybody else its routes are not there, and without a licence they are closed. */
function createGate(area: RouteArea, use: GateUse, { release, sandbox }: RouteParts): (state: RequestState) => void {
  const { name, scope } = release.manifest
  return ({ tenant, principal }) => {
    if (area === 'public' && scope === 'tenant' && !tenant) throw new TenantNotRecognisedError()
    const gate = sandbox.services.gate(name, area === 'admin' ? 0 : (tenant?.id ?? 0), use, principal)
    if (!gate.open) throw withoutEffect(gate.error)
  }
}

function acceptsOf(area: RouteArea, { method, body }: Declared): Pick<Route, 'accepts'> {
  if (method === 'GET' || method === 'DELETE') return {}
  if (body !== undefined) return { accepts: [body] }
  return { accepts: area === 'public' ? ['json', 'form'] : ['json'] }
}

function limitOf({ method, path, rate }: Declared, name: string): Pick<Route, 'limit'> {
  const requests = rate?.perUserPerMinute ?? rate?.perIpPerMinute
  if (requests === undefined) return {}
  const by = rate?.perUserPerMinute === undefined ? 'ip' : 'user'
  const policy = `plugin.${name} ${method} ${path}`
  return { limit: { policy, requests, seconds: 60, by, error: PluginRateLimitedError } }
}

/** Everything that does not change from call to call is made here, once. */
function createHandler(
  area: RouteArea,
  declared: Declared,
  parts: RouteParts,
  admit: (state: RequestState) => void,
): (ctx: RouteContext) => Promise<unknown> {
  const { release, grants, sandbox } = parts
  const { name } = release.manifest
  const isPublic = area === 'public'
  const target = { kind: 'handler', name: declared.handler } as const
  const entry = `${declared.method} ${declared.path}`
  const prefixLength = areas[area].prefix(name).length
  const showsRawBody = declared.rawBody ?? false
  const request = { prefixLength, isPublic, showsRawBody, maxBytes: grants.limits.requestBytes }
  const userOf = createGuestUsers(release.manifest)
  const wall = declared.timeoutMs === undefined ? {} : { wallMs: declared.timeoutMs }

  return async (ctx) => {
    const tenant = area === 'admin' ? undefined : ctx.state.tenant
    // Once more, because it may have been disabled while the body came in.
    admit(ctx.state)
    const answer = async (form?: ReceivedForm, stream?: StreamSink): Promise<string> =>
      sandbox.answer({
        ...(stream && { stream }),
        release,
        grants,
        target,
        entry,
        input: presentRequest(ctx, request, form),
        tenant: tenant && { id: tenant.id, code: tenant.code },
        user: ctx.state.principal && userOf(ctx.state.principal),
        locale: ctx.state.locale,
        traceId: ctx.state.traceId,
        // Made only when a host call asks for it: most calls make none.
        get signal() {
          return ctx.signal
        },
        get isForsaken() {
          return ctx.isForsaken
        },
        ...wall,
      })
    const limits = { most: grants.limits.streamBytes }
    if (declared.stream)
      return streamAnswer(
        (sink) => answer(undefined, sink),
        (text) => toReply(name, text, isPublic),
        limits,
      )
    if (declared.body === undefined) return toReply(name, await answer(), isPublic)
    const owner = { plugin: name, tenantId: tenant?.id ?? 0, userId: ctx.state.principal?.userId }
    return withForm(parts, ctx, { declared, owner }, async (form) => toReply(name, await answer(form), isPublic))
  }
}

/** Stores the files of a form, and deletes those that were not kept when the request fails. */
async function withForm(
  { grants, sandbox }: RouteParts,
  ctx: RouteContext,
  { declared, owner }: { readonly declared: Declared; readonly owner: AttachmentOwner },
  work: (form: ReceivedForm) => Promise<Reply>,
): Promise<Reply> {
  const capability = 'attachments:write'
  if (!grants.capabilities.has(capability) || grants.deniedFor(owner.tenantId).has(capability))
    throw new CapabilityMissingError({ details: { capability } })
  const { services } = sandbox
  const limits = effectiveLimits(grants.limits, services.limits(owner.plugin))
  demandFormSize(ctx.header('content-length'), limits)
  const receiver = new FormReceiver(services.attachments, owner, limits)
  try {
    const bounds = formBounds(declared, limits)
    const form = declared.body === 'file' ? oneFile(ctx, bounds) : (ctx.files(bounds) as FormFiles)
    return await work(await receiver.receive(form))
  } catch (error) {
    await receiver.drop().catch((left: unknown) => {
      services.log.warn({ err: left, plugin: owner.plugin }, 'files of a form that failed are left for the sweep')
    })
    throw error
  }
}
