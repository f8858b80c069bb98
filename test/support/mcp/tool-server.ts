import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/server'
import type { Lanes } from './http-lanes.ts'

/** What a tool of a test is and answers. */
export interface TestTool extends Tool {
  readonly answer?: (given: Readonly<Record<string, unknown>>) => CallToolResult | Promise<CallToolResult>
}

/** A server made with the official SDK, whose tools a test may change at any time. */
export interface ToolServer {
  readonly url: string
  tools: TestTool[]
  /** Calls that reached it, in their order. */
  readonly calls: { readonly name: string; readonly given: unknown }[]
  /** Headers of the requests that reached it. */
  readonly headers: IncomingMessage['headers'][]
  /** What `Authorization` must be; anything unless given. */
  authorization: string | undefined
}

/** Starts one: of the current revision, or of the one before, with sessions. */
export function openToolServer(lanes: Lanes, name: string, tools: TestTool[], era: 'current' | 'sessions'): ToolServer {
  const answer = era === 'current' ? createMcpHandler(make, { legacy: 'reject' }).fetch : withSessions(make)
  const state: ToolServer = {
    url: lanes.open(name, (request, response, body) => {
      state.headers.push(request.headers)
      const { authorization } = state
      if (authorization !== undefined && request.headers.authorization !== authorization) {
        response.writeHead(401).end()
        return
      }
      void answer(toRequest(request, body)).then((reply) => send(reply, response))
    }),
    ...{ tools, calls: [], headers: [], authorization: undefined },
  }
  return state

  function make(): Server {
    const server = new Server({ name: 'test-tools', version: '1.2.3' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/list', () => ({
      tools: state.tools.map((tool) => ({ ...tool, answer: undefined })),
      ...{ ttlMs: 0, cacheScope: 'private' as const },
    }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const given = params.arguments ?? {}
      state.calls.push({ name: params.name, given })
      const tool = state.tools.find((each) => each.name === params.name)
      return (await tool?.answer?.(given)) ?? { content: [{ type: 'text', text: `${params.name} was called` }] }
    })
    return server
  }
}

function withSessions(make: () => Server) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  return async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '')
    if (known) return known.handleRequest(request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    })
    await make().connect(transport)
    return transport.handleRequest(request)
  }
}

function toRequest(request: IncomingMessage, body: Buffer): Request {
  const method = request.method ?? 'GET'
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const hasBody = method === 'POST'
  return new Request(`http://${request.headers.host ?? ''}${request.url ?? ''}`, {
    ...{ method, headers },
    ...(hasBody && { body: new Uint8Array(body) }),
  })
}

function send(reply: Response, response: ServerResponse): void {
  response.writeHead(reply.status, Object.fromEntries(reply.headers))
  if (reply.body) Readable.from(reply.body as AsyncIterable<Uint8Array>).pipe(response)
  else response.end()
}
