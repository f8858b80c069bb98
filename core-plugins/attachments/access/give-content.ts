import type { Knex } from 'knex'
import { data, raw, redirect, type Environment, type Reply, type RouteContext } from '#kernel'
import type { ConfigReader } from '../../config/contract.ts'
import type { ObjectStorage, StorageVolumes } from '../../storage/contract.ts'
import { Attachment } from '../models.ts'
import type { AllowedAccess } from './attachment-access.ts'
import { readRange } from './byte-range.ts'
import { contentHeaders, contentTypeOf, dispositionOf, entityTag } from './content-headers.ts'
import { externalLink } from './external-link.ts'
import { openContent } from './open-content.ts'

/** What giving files stands on. */
export interface GiveParts {
  readonly db: Knex
  readonly config: ConfigReader
  readonly env: Pick<Environment, 'publicUrl'>
  readonly objects: ObjectStorage
  readonly volumes: StorageVolumes
}

/** What is asked of a request that wants a file. */
type GiveRequest = Pick<RouteContext, 'authority' | 'header' | 'isFresh' | 'method'>

/** What a file is wanted for. */
interface GiveOptions {
  readonly inline: boolean
  /** Whether it counts as a download. */
  readonly counts: boolean
}

/**
 * Answers with a file: its bytes where they lie on our disk, otherwise a redirect to where they lie, or as JSON where that is what the caller
 * takes. Throws 404/4043 where nothing but this route leads there, 416/4160 for a part that it does not have.
 */
export async function giveContent(
  parts: GiveParts,
  request: GiveRequest,
  allowed: AllowedAccess,
  options: GiveOptions,
): Promise<Reply> {
  const { attachment } = allowed
  const opened = await parts.volumes.byRef(attachment.storageRef)
  if (opened.driver === 'local') return stream(parts, request, allowed, options)
  const ttl = await parts.config.get<number>('signed_url_ttl_seconds', 0, 3600)
  const remaining = allowed.expires === undefined ? ttl : allowed.expires - Math.floor(Date.now() / 1000)
  const seconds = Math.max(1, Math.min(ttl, remaining))
  const url = await externalLink(parts, request, attachment, {
    seconds,
    contentType: contentTypeOf(attachment),
    disposition: dispositionOf(attachment, options.inline),
  })
  if (options.counts) await countDownload(parts.db, request, attachment)
  const headers = { 'cache-control': `private, max-age=${Math.max(0, seconds - 60)}`, vary: 'Accept' }
  if (!wantsJson(request)) return redirect(url, { headers })
  return data({ redirect_url: url, expires_at: new Date(Date.now() + seconds * 1000).toISOString() }, { headers })
}

/** Whether a caller takes JSON and not whatever there is. */
export function wantsJson(request: Pick<GiveRequest, 'header'>): boolean {
  const accept = request.header('accept') ?? ''
  return /\bapplication\/json\b/i.test(accept) && !accept.includes('*/*')
}

async function stream(
  parts: GiveParts,
  request: GiveRequest,
  { attachment, by, expires, stands }: AllowedAccess,
  { inline, counts }: GiveOptions,
): Promise<Reply> {
  const headers = contentHeaders(attachment, inline)
  headers['cache-control'] = cacheControl(by, expires)
  const type = contentTypeOf(attachment)
  if (request.isFresh(entityTag(attachment))) return raw('', type, { status: 304, headers, stands })
  if (isUnmodified(request, attachment)) return raw('', type, { status: 304, headers })
  const size = Number(attachment.size)
  const range = isOfThis(request, attachment) ? readRange(request.header('range'), size) : undefined
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${size}`
  headers['content-length'] = String(range ? range.end - range.start + 1 : size)
  // Before anything is opened that a failure would leave open.
  if (counts) await countDownload(parts.db, request, attachment)
  const content = await openContent(parts.objects, attachment, range)
  return raw(content, type, { status: range ? 206 : 200, headers })
}

/** Whether a caller without its tag has a file by its time; where there is a tag, that alone decides (RFC 9110, section 13.1.3). */
function isUnmodified(request: GiveRequest, { createdAt }: Attachment): boolean {
  const since = request.header('if-modified-since')
  if (since === undefined || request.header('if-none-match') !== undefined) return false
  return Math.floor(createdAt.getTime() / 1000) * 1000 <= Date.parse(since)
}

/** With If-Range a part is wanted only of the version that the caller has. */
function isOfThis(request: GiveRequest, attachment: Attachment): boolean {
  const wanted = request.header('if-range')?.trim()
  return wanted === undefined || wanted === entityTag(attachment) || wanted === attachment.createdAt.toUTCString()
}

function cacheControl(by: AllowedAccess['by'], expires: number | undefined): string {
  if (by === 'public') return 'public, max-age=86400, stale-while-revalidate=604800'
  if (by === 'token' || expires === undefined) return 'private, no-cache'
  return `private, max-age=${Math.max(0, expires - Math.floor(Date.now() / 1000))}`
}

/** Counts a download once: not its later parts, questions about it, or answers that it has not changed. */
async function countDownload(
  db: Knex,
  request: Pick<GiveRequest, 'header' | 'method'>,
  { id, tenantId }: Attachment,
): Promise<void> {
  const range = request.header('range')
  if (request.method !== 'GET' || (range !== undefined && !/^\s*bytes\s*=\s*0\s*-/i.test(range))) return
  await Attachment.of(tenantId, db).where({ id }).increment('download_count', 1)
}
