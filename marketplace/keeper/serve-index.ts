import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { realpath } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { readPart } from './index-folder.ts'
import { IndexRefusal } from './index-refusal.ts'

/** Where an index is served; disposing it closes every connection. */
export interface ServedIndex extends AsyncDisposable {
  /** With a slash at its end. */
  readonly url: string
}

/** How an index is served. */
interface ServeOptions {
  readonly host: string
  /** 0 is any free port. */
  readonly port: number
  readonly onRequest?: (method: string, path: string, status: number) => void
  /** What takes packages in; without it nothing is taken. */
  readonly receiver?: PackageReceiver
}

/** What a receiver says. */
type Received = Promise<{
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}>

/** Takes packages in over HTTP, and changes of what is published. */
interface PackageReceiver {
  receive(request: IncomingMessage): Received
  receiveChange(request: IncomingMessage): Received
  /** Resolves while nothing is written: what is read then fits together. */
  whole(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.xml': 'application/atom+xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.sig': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.zip': 'application/zip',
}
const gzipped = new Set(['.json', '.sig', '.md', '.html', '.css', '.xml'])
const gzipFrom = 1_024
const compress = promisify(gzip)

/** Serves the files of an index over HTTP, and nothing else: no hidden file, no link, no list of a folder; with a receiver also `POST /-/packages` and `POST /-/changes`. Throws an IndexRefusal when the port is taken. */
export async function serveIndex(
  directory: string,
  { host, port, onRequest, receiver }: ServeOptions,
): Promise<ServedIndex> {
  const folder = await realpath(directory).catch(() => {
    throw new IndexRefusal(`There is no ${directory}.`)
  })
  const server = createServer((request, response) => {
    void answer(folder, receiver, request, response).then(
      (status) => onRequest?.(request.method ?? '', request.url ?? '', status),
      () => response.destroy(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    throw new IndexRefusal(`${host}:${port} cannot be used: ${(error as Error).message}`)
  })
  const address = server.address()
  const actual = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(
  folder: string,
  receiver: PackageReceiver | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  const say = (status: number, headers: Readonly<Record<string, string>>, body: Uint8Array | string = ''): number => {
    response.writeHead(status, {
      ...headers,
      'x-content-type-options': 'nosniff',
      'content-length': Buffer.byteLength(body),
    })
    response.end(request.method === 'HEAD' ? undefined : body)
    return status
  }
  const taken = request.method === 'POST' ? receive(receiver, request) : undefined
  if (taken) {
    const { status, body, headers } = await taken
    // What was not read is let go by, or who sends it would never see the answer.
    request.resume()
    return say(status, { ...headers, 'content-type': types['.json'] ?? '' }, JSON.stringify(body))
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(405, { allow: 'GET, HEAD' })
  await receiver?.whole()
  const path = pathOf(request.url ?? '/')
  const bytes = path === undefined ? undefined : await readPart(folder, path)
  if (path === undefined || !bytes)
    return say(404, { 'content-type': 'text/plain; charset=utf-8' }, 'There is no such file.\n')
  const type = extname(path)
  const isGzipped =
    gzipped.has(type) && bytes.length >= gzipFrom && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}${isGzipped ? '-gzip' : ''}"`
  const headers = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding', 'accept-ranges': 'none' }
  if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return say(304, headers)
  const content = { ...headers, 'content-type': types[type] ?? 'application/octet-stream' }
  return isGzipped
    ? say(200, { ...content, 'content-encoding': 'gzip' }, await compress(bytes))
    : say(200, content, bytes)
}

function receive(receiver: PackageReceiver | undefined, request: IncomingMessage): Received | undefined {
  if (request.url === '/-/packages') return receiver?.receive(request)
  return request.url === '/-/changes' ? receiver?.receiveChange(request) : undefined
}

/** The path below the folder that an address means, or nothing: what is decoded twice, goes up, is hidden or absolute means nothing. */
function pathOf(target: string): string | undefined {
  const [raw = ''] = target.split(/[?#]/)
  try {
    // A folder is its page, where it has one.
    const path = decodeURIComponent(raw)
      .replace(/^\//, '')
      .replace(/(^|\/)$/, '$1index.html')
    const isPlain = path.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\\0:]/.test(part))
    return isPlain ? path : undefined
  } catch {
    return undefined
  }
}
