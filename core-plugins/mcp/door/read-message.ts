import type { RouteContext } from '#kernel'
import { fromHeaderText } from '../wire/header-text.ts'
import { isObject, isRequestId, RpcError, rpcCodes, type JsonObject, type RpcRequest } from '../wire/json-rpc.ts'
import { currentRevision, metaNames, revisions } from '../wire/versions.ts'

/** A message of a client's. */
interface ClientMessage {
  readonly request: RpcRequest
  /** Whether it stands alone, as in the current revision. */
  readonly isCurrent: boolean
}

/** Members of requests that headers say too. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** Reads one message; undefined for an answer of a client's, which nobody asked for. Throws an RpcError. */
export function readMessage(body: unknown, ctx: Pick<RouteContext, 'header'>): ClientMessage | undefined {
  if (!isObject(body) || body['jsonrpc'] !== '2.0')
    throw new RpcError(rpcCodes.invalidRequest, 'The body must be one JSON-RPC message')
  const { id, method, params = {} } = body
  if (method === undefined && ('result' in body || 'error' in body)) return undefined
  if (typeof method !== 'string' || method.length > 200 || !isObject(params))
    throw new RpcError(rpcCodes.invalidRequest, 'The body must be one JSON-RPC message')
  if (id !== undefined && !isRequestId(id))
    throw new RpcError(rpcCodes.invalidRequest, 'The id must be a text or a whole number')
  const request = { id, method, params }
  return { request, isCurrent: isCurrent(request, ctx) }
}

function isCurrent({ id, method, params }: RpcRequest, ctx: Pick<RouteContext, 'header'>): boolean {
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const [claimed, header] = [meta[metaNames.revision], ctx.header('mcp-protocol-version')]
  if (claimed === undefined && header !== currentRevision) return false
  // Of notifications headers say nothing in this revision.
  if (id === undefined) return true
  if (typeof claimed !== 'string' || !isObject(meta[metaNames.clientCapabilities]))
    throw new RpcError(
      rpcCodes.invalidParams,
      `_meta must have ${metaNames.revision} and ${metaNames.clientCapabilities}`,
    )
  demandHeader('MCP-Protocol-Version', header, claimed)
  if (claimed !== currentRevision)
    throw new RpcError(rpcCodes.unknownRevision, 'Unsupported protocol version', {
      data: { supported: revisions, requested: claimed },
    })
  demandHeader('Mcp-Method', ctx.header('mcp-method'), method)
  const member = named[method]
  const name = ctx.header('mcp-name')
  if (member !== undefined) demandHeader('Mcp-Name', name === undefined ? name : fromHeaderText(name), params[member])
  return true
}

function demandHeader(name: string, header: string | undefined, value: unknown): void {
  if (header === value) return
  throw new RpcError(rpcCodes.headerMismatch, `Header mismatch: ${name} does not say what the body says`)
}

/** A text of the parameters. Throws an RpcError. */
export function textIn(params: JsonObject, name: string): string {
  const value = params[name]
  if (typeof value === 'string' && value !== '' && value.length <= 2_000) return value
  throw new RpcError(rpcCodes.invalidParams, `${name} must be a text`, { status: 200 })
}
