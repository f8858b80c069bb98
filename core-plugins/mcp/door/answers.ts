import { platformVersion, type Locale } from '#kernel'
import type { KnowledgeLibrary } from '../../knowledge/contract.ts'
import { isObject, RpcError, rpcCodes, type JsonObject } from '../wire/json-rpc.ts'
import { metaNames, revisions, sessionRevision, sessionRevisions } from '../wire/versions.ts'
import type { McpCaller } from './caller.ts'
import { agentsFor, offersFor, type Offer, type OfferParts } from './offers.ts'
import { textIn } from './read-message.ts'

/** What answers stand on. */
export interface AnswerParts extends OfferParts {
  readonly library: KnowledgeLibrary
}

/** Who asks, and how. */
export interface Asked {
  readonly caller: McpCaller
  readonly locale: Locale
  readonly isCurrent: boolean
}

const serverInfo = { name: 'stoa', title: 'Stoa', version: platformVersion }
const capabilities = { tools: { listChanged: true }, prompts: {}, resources: {} }
const pageSize = 100
const resourcePrefix = 'stoa://knowledge/'
/** A list is a caller's own, and to be asked for again after so long at the latest. */
const listed = { ttlMs: 60_000, cacheScope: 'private' }

/** Answers what stands alone: all methods but calls of tools and streams. Undefined for a method that there is not. */
export async function answer(
  method: string,
  params: JsonObject,
  asked: Asked,
  parts: AnswerParts,
): Promise<JsonObject | undefined> {
  const { caller, locale, isCurrent } = asked
  switch (method) {
    case 'server/discover':
      return isCurrent ? { supportedVersions: revisions, capabilities, ...listed } : undefined
    case 'ping':
      return isCurrent ? undefined : {}
    case 'tools/list': {
      const offers = [...(await offersFor(caller, parts, locale)).values()]
      return { ...paged(offers, params, ({ name }) => name, 'tools', presentOffer), ...listed }
    }
    case 'prompts/list':
      return {
        ...paged(await promptsFor(caller, parts), params, ({ name }) => name, 'prompts', presentPrompt),
        ...listed,
      }
    case 'prompts/get': {
      const prompt = (await promptsFor(caller, parts)).find(({ name }) => name === textIn(params, 'name'))
      if (!prompt) throw unknown('prompt')
      const content = { type: 'text', text: prompt.question }
      return { description: prompt.description, messages: [{ role: 'user', content }] }
    }
    case 'resources/list':
      return { ...(await resources(caller, params, parts)), ...listed }
    case 'resources/templates/list':
      return { resourceTemplates: [], ...listed }
    case 'resources/read': {
      const uri = textIn(params, 'uri')
      const id = uri.startsWith(resourcePrefix) ? uri.slice(resourcePrefix.length) : ''
      const document = id === '' ? undefined : await parts.library.read(caller.user, id)
      if (!document) throw unknown('resource')
      return { contents: [{ uri, mimeType: 'text/plain', text: document.text }], ...listed }
    }
    default:
      return undefined
  }
}

/** The answer to a handshake; the revision is the client's where it is spoken. */
export function handshake(params: JsonObject): JsonObject & { readonly protocolVersion: string } {
  const wanted = params['protocolVersion']
  const isSpoken = typeof wanted === 'string' && sessionRevisions.includes(wanted)
  return { protocolVersion: isSpoken ? wanted : sessionRevision, capabilities, serverInfo }
}

/** A result as its revision has it. */
export function resultOf(result: JsonObject, { isCurrent }: Pick<Asked, 'isCurrent'>): JsonObject {
  if (!isCurrent) return Object.fromEntries(Object.entries(result).filter(([name]) => !(name in listed)))
  const meta = isObject(result['_meta']) ? result['_meta'] : {}
  return { resultType: 'complete', ...result, _meta: { ...meta, [metaNames.serverInfo]: serverInfo } }
}

/** A thing that there is not for this caller; told in the answer. */
export function unknown(what: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `There is no such ${what}`, { status: 200 })
}

/** The names of a caller's tools, as one text that changes with them. */
export async function toolsMark(caller: McpCaller, parts: AnswerParts, locale: Locale): Promise<string> {
  const offers = await offersFor(caller, parts, locale)
  return JSON.stringify([...offers.values()].map(presentOffer))
}

function presentOffer({ name, title, description, schema, effect }: Offer): JsonObject {
  const isRead = effect === 'read'
  const annotations = { title, readOnlyHint: isRead, destructiveHint: !isRead, openWorldHint: effect === 'external' }
  return { name, title, description, inputSchema: schema, annotations }
}

interface Prompt {
  readonly name: string
  readonly description: string
  readonly question: string
}

/** What agents suggest to be asked. */
async function promptsFor(caller: McpCaller, parts: OfferParts): Promise<readonly Prompt[]> {
  const prompts = (await agentsFor(caller, parts)).flatMap(({ code, definition }) =>
    definition.suggested_questions.map((question, at) => ({
      ...{ name: `${code}_${String(at + 1)}`, description: `${definition.name}: ${question}`, question },
    })),
  )
  return prompts.sort((a, b) => (a.name < b.name ? -1 : 1))
}

function presentPrompt({ name, description, question }: Prompt): JsonObject {
  return { name, title: question, description }
}

async function resources(caller: McpCaller, params: JsonObject, { library }: AnswerParts): Promise<JsonObject> {
  const documents = await library.list(caller.user, cursorIn(params), pageSize + 1)
  const shown = documents.slice(0, pageSize)
  const last = documents.length > pageSize ? shown.at(-1)?.id : undefined
  return {
    resources: shown.map(({ id, title, updatedAt }) => ({
      ...{ uri: resourcePrefix + id, name: title, title, mimeType: 'text/plain' },
      annotations: { lastModified: updatedAt.toISOString() },
    })),
    ...(last !== undefined && { nextCursor: toCursor(last) }),
  }
}

/** Those after a cursor; they are in the order of their names. */
function paged<T>(
  all: readonly T[],
  params: JsonObject,
  nameOf: (each: T) => string,
  member: string,
  present: (each: T) => JsonObject,
): JsonObject {
  const after = cursorIn(params)
  // After a name rather than at one: what a cursor names may be gone by now.
  const rest = all.filter((each) => nameOf(each) > after)
  const shown = rest.slice(0, pageSize)
  const last = shown.at(-1)
  const hasMore = last !== undefined && rest.length > pageSize
  return { [member]: shown.map(present), ...(hasMore && { nextCursor: toCursor(nameOf(last)) }) }
}

function toCursor(text: string): string {
  return Buffer.from(text).toString('base64url')
}

function cursorIn({ cursor }: JsonObject): string {
  if (cursor === undefined) return ''
  const text = typeof cursor === 'string' && cursor.length <= 400 ? Buffer.from(cursor, 'base64url').toString() : ''
  if (text === '' || text.includes('\0'))
    throw new RpcError(rpcCodes.invalidParams, 'The cursor is none', { status: 200 })
  return text
}
