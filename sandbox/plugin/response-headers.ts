import { PluginResponseInvalidError } from '../errors.ts'

const types: ReadonlySet<string> = new Set([
  ...['application/json', 'text/plain', 'text/csv', 'text/calendar', 'application/pdf', 'application/zip'],
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'application/octet-stream'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
])
const maxValue = 1_024
const visible = /^[\x20-\x7e]*$/
const cacheControl = /^[a-z0-9 ,=-]+$/i
const sharedCache = /\b(public|s-maxage)\b/i
const dispositionForm = /^(inline|attachment)(; ?filename="[^"\\]{1,200}")?(; ?filename\*=UTF-8''[\w.%~-]{1,600})?$/i
/** A path of this site: one slash, and none of what browsers read as another. */
const ownPath = /^\/(?![/\\])[^\\\s]*$/
/** What stands before the path in a link of `ctx.attachments`: the file is on this site under whatever name it is called at. */
const beforeAttachments = /^https?:\/\/[^/\\?#\s]+(?=\/api\/public\/attachments\/)/

type Names = 'content-type' | 'cache-control' | 'content-disposition' | 'location'

/** The headers of a guest's answer: the four it may set, each in its form. */
export function checkResponseHeaders(value: unknown, isPublic: boolean): { readonly [name in Names]?: string } {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid('headers must be an object')
  const checked: { [name in Names]?: string } = {}
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' || text.length > maxValue || !visible.test(text)) {
      throw invalid(`The value of a header is no text of at most ${maxValue} visible characters`)
    }
    checked[toName(name)] = text
  }
  const { 'content-type': type, 'cache-control': cache, 'content-disposition': disposition, location } = checked
  if (type !== undefined && !isAllowedType(type)) throw invalid('The content type is not one that a plugin can send')
  if (cache !== undefined && !cacheControl.test(cache)) throw invalid('cache-control is not valid')
  if (cache !== undefined && !isPublic && sharedCache.test(cache)) {
    throw invalid('What was made for one caller is not for shared caches')
  }
  if (disposition !== undefined && !dispositionForm.test(disposition)) throw invalid('content-disposition is not valid')
  if (location === undefined) return checked
  const path = location.replace(beforeAttachments, '')
  if (!ownPath.test(path)) throw invalid('location must be a path of this site, or a link of ctx.attachments')
  return { ...checked, location: path }
}

/** Whether a body of this type is wrapped like every JSON answer. */
export function isJsonType(contentType: string): boolean {
  return mediaType(contentType) === 'application/json'
}

function isAllowedType(contentType: string): boolean {
  const parameters = contentType.split(';').slice(1)
  return types.has(mediaType(contentType)) && parameters.every((text) => /^\s*charset="?utf-8"?\s*$/i.test(text))
}

function mediaType(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

function toName(name: string): Names {
  const lower = name.toLowerCase()
  switch (lower) {
    case 'content-type':
    case 'cache-control':
    case 'content-disposition':
    case 'location':
      return lower
    default:
      throw invalid(`A plugin cannot set the header ${JSON.stringify(name.slice(0, 64))}`)
  }
}

function invalid(why: string): Error {
  return new PluginResponseInvalidError({ cause: why })
}
