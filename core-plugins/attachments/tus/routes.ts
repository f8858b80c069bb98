import {
  BadRequestError,
  data,
  defineRoute,
  MethodNotAllowedError,
  raw,
  tenantNeeds,
  UnsupportedMediaTypeError,
  type Reply,
  type Route,
  type RouteContext,
} from '#kernel'
import { checksumAlgorithms, tusExtensions, tusHeaders, tusVersion } from './protocol.ts'
import { demandVersion, readChecksum, readCount, wrong } from './request.ts'
import { lookedAt, progressBody, presentProgress, tusParams as params } from './present.ts'
import type { TusUploads } from './tus-uploads.ts'

const path = '/attachments/tus'
const bytesType = 'application/offset+octet-stream'
const admit = tenantNeeds('user_attachment:upload')
const codes = [4008, 4036, 4043, 4045, 4098, 4120, 4130, 4150, 4297, 4600]

type TusContext = Pick<
  RouteContext<{ readonly tus_id: string }>,
  'header' | 'principal' | 'params' | 'request' | 'state'
>

/** Uploads by tus 1.0, for its clients as they are. */
export function tusRoutes(uploads: TusUploads): readonly Route[] {
  const options = async (): Promise<Record<string, string>> => ({
    ...tusHeaders,
    'tus-version': tusVersion,
    'tus-extension': tusExtensions.join(','),
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
    'tus-max-size': String(await uploads.largest()),
  })
  const shared = { admit, headers: tusHeaders, errors: codes } as const
  return [
    defineRoute({
      ...shared,
      method: 'post',
      path,
      summary: 'Begin an upload by tus',
      options,
      limit: { policy: 'attachment_tus', requests: 600, seconds: 60, by: 'user' },
      accepts: ['offset'],
      answers: [{ status: 201, types: [] }],
      handler: (ctx) => create(uploads, ctx),
    }),
    defineRoute({
      ...shared,
      method: 'get',
      path: `${path}/{tus_id}`,
      summary: 'Look how far an upload by tus is, and what it has come to; HEAD tells it in headers',
      options,
      schema: { params, response: progressBody },
      async handler(ctx) {
        if (ctx.method === 'HEAD') demandVersion(ctx)
        const upload = await uploads.look(ctx.principal, ctx.params.tus_id)
        return data(presentProgress(upload), { headers: lookedAt(upload) })
      },
    }),
    defineRoute({
      ...shared,
      method: 'patch',
      path: `${path}/{tus_id}`,
      summary: 'Go on with an upload by tus',
      accepts: ['offset'],
      answers: [204],
      schema: { params },
      handler: (ctx) => append(uploads, ctx),
    }),
    defineRoute({
      ...shared,
      method: 'delete',
      path: `${path}/{tus_id}`,
      summary: 'Give an upload by tus up',
      answers: [204],
      schema: { params },
      handler: (ctx) => terminate(uploads, ctx),
    }),
    defineRoute({
      ...shared,
      method: 'post',
      path: `${path}/{tus_id}`,
      summary: 'The same as PATCH or DELETE, whichever X-HTTP-Method-Override says',
      accepts: ['offset'],
      answers: [204],
      schema: { params },
      handler(ctx) {
        const method = ctx.header('x-http-method-override')?.toUpperCase()
        if (method === 'PATCH') return append(uploads, ctx)
        if (method === 'DELETE') return terminate(uploads, ctx)
        throw new MethodNotAllowedError({ headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH' } })
      },
    }),
  ]
}

async function create(uploads: TusUploads, ctx: Omit<TusContext, 'params'>): Promise<Reply> {
  demandVersion(ctx)
  if (ctx.header('upload-concat') !== undefined) throw new BadRequestError({ details: { extension: 'concatenation' } })
  const length = readCount(ctx, 'Upload-Length')
  const isDeferred = ctx.header('upload-defer-length') === '1'
  if (isDeferred === (length !== undefined))
    throw wrong('Upload-Length', 'required', 'is wanted, or Upload-Defer-Length')
  const metadata = ctx.header('upload-metadata') ?? ''
  const begun = await uploads.create(ctx.principal, { length, metadata }, ctx.state.locale)
  const hasBytes = ctx.header('content-type') !== undefined
  const upload = hasBytes
    ? await uploads.append(ctx.principal, begun, { offset: 0, ...bytesOf(ctx) })
    : await uploads.finish(ctx.principal, begun)
  return raw('', 'text/plain', { status: 201, headers: { location: `${path}/${upload.id}`, ...lookedAt(upload) } })
}

async function append(uploads: TusUploads, ctx: TusContext): Promise<Reply> {
  demandVersion(ctx)
  if (ctx.header('content-type') === undefined) throw new UnsupportedMediaTypeError({ expected: bytesType })
  const offset = readCount(ctx, 'Upload-Offset')
  if (offset === undefined) throw wrong('Upload-Offset', 'required', 'is wanted')
  const length = readCount(ctx, 'Upload-Length')
  const known = await uploads.find(ctx.principal, ctx.params.tus_id)
  const upload = await uploads.append(ctx.principal, known, { offset, length, ...bytesOf(ctx) })
  return raw('', 'text/plain', { status: 204, headers: lookedAt(upload) })
}

async function terminate(uploads: TusUploads, ctx: TusContext): Promise<Reply> {
  demandVersion(ctx)
  await uploads.terminate(ctx.principal, ctx.params.tus_id)
  return raw('', 'text/plain', { status: 204 })
}

function bytesOf(ctx: Pick<TusContext, 'header' | 'request'>) {
  const announced = ctx.header('content-length')
  return {
    announcedBytes: announced === undefined ? undefined : Number(announced),
    checksum: readChecksum(ctx),
    content: ctx.request as AsyncIterable<Buffer>,
  }
}
