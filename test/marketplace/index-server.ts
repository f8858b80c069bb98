import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGuardedFetch, type GuardedFetch } from '#kernel'
import type { IndexCache, StoredSnapshot } from '#marketplace'
import { sha256, type IndexContent } from './index-content.ts'

/** Answers a request in its own way, or leaves it to the server by answering false. */
export type Lie = (request: IncomingMessage, response: ServerResponse) => boolean | void

/** A server of files that does as it is told, and remembers what it was asked. */
export interface IndexServer extends AsyncDisposable {
  readonly url: string
  readonly host: string
  content: IndexContent
  /** By path below `/index/`; `*` for every one. */
  readonly lies: Map<string, Lie>
  /** `path` or `path 304`, in the order in which they were answered. */
  readonly asked: string[]
  readonly headers: IncomingMessage['headers'][]
}

/** Serves an index below `/index/` with ETags. */
export async function startIndexServer(content: IndexContent = new Map()): Promise<IndexServer> {
  const lies = new Map<string, Lie>()
  const asked: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/index\//, '')
    headers.push(request.headers)
    const lie = lies.get(path) ?? lies.get('*')
    if (lie && lie(request, response) !== false) return void asked.push(path)
    const bytes = running.content.get(path)
    const etag = bytes && `"${sha256(bytes).slice(0, 16)}"`
    const status = !bytes ? 404 : request.headers['if-none-match'] === etag ? 304 : 200
    asked.push(status === 304 ? `${path} 304` : path)
    response.writeHead(status, etag === undefined ? {} : { etag }).end(status === 200 ? bytes : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const running: IndexServer = {
    url: `http://${host}/index`,
    host,
    content,
    lies,
    asked,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return running
}

/** The guarded client, allowed to speak to these servers. */
export function fetchFrom(...servers: readonly IndexServer[]): GuardedFetch {
  return createGuardedFetch({ egressAllowPrivate: new Set(servers.map(({ host }) => host)), dnsServers: [] })
}

/** A cache in memory, as a database would be one. */
export class MemoryIndexCache implements IndexCache {
  snapshot: StoredSnapshot | undefined
  readonly files = new Map<string, Buffer>()

  load(): Promise<StoredSnapshot | undefined> {
    return Promise.resolve(this.snapshot)
  }
  save(snapshot: StoredSnapshot): Promise<void> {
    this.snapshot = snapshot
    return Promise.resolve()
  }
  findFile(hash: string): Promise<Buffer | undefined> {
    return Promise.resolve(this.files.get(hash))
  }
  saveFile(hash: string, bytes: Buffer): Promise<void> {
    this.files.set(hash, bytes)
    return Promise.resolve()
  }
}
