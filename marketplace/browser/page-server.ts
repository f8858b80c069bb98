import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { RouteNotFoundError } from '#kernel'
import {
  contentTypeOf,
  describePageFile,
  findRoute,
  loadPageSdk,
  lookInto,
  pageSdkFolder,
  withInserts,
  type PageAsked,
  type PageSaid,
  type Release,
  type TestCaller,
  type TestPluginWithoutPages,
} from '#sandbox'
import { checkout } from '../author/checkout.ts'
import { consoleAnswer } from './console-answers.ts'
import { absentAnswer, dataAnswer, pluginAnswer, type HttpAnswer } from './plugin-answer.ts'
import type { Reader } from './reader.ts'

/** The console as it was built. */
const built = join(checkout, 'core-plugins/console/dist')

/** What a page is shown of. */
interface PageSubject {
  readonly plugin: TestPluginWithoutPages
  readonly release: Release
  readonly reader: Reader
}

/** Serves one page of a plugin with the console's frame around it, on this machine alone; its routes are answered by the plugin under test. */
export class PageServer implements AsyncDisposable {
  readonly asked: PageAsked[] = []
  readonly said: PageSaid[] = []
  readonly #subject: PageSubject
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch((error: unknown) => {
      this.said.push({ level: 'error', message: String(error), places: [] })
      response.destroy(error as Error)
    })
  })

  constructor(subject: PageSubject) {
    this.#subject = subject
  }

  /** Its address, once it listens. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await this.#find(request)
    response.writeHead(status, headers).end(body)
  }

  async #find(request: IncomingMessage): Promise<HttpAnswer> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    const { name } = this.#subject.release
    const own = /^\/(admin|tenant|api\/public)\/plugins\/(?<name>[^/]+)\/api(?<path>\/.*)$/.exec(pathname)?.groups
    if (own?.['name'] === name) return this.#askPlugin(request, `${own['path']}${search}`, pathname)
    if (pathname.startsWith(pageSdkFolder)) return readSdk(pathname.slice(pageSdkFolder.length))
    if (pathname.startsWith('/plugin-ui/')) return this.#readPage(pathname, request.headers)
    if (pathname.startsWith('/console/assets/')) return readBuilt(pathname.slice('/console/'.length))
    if (pathname.startsWith('/console/')) return readBuilt('try-page.html')
    return this.#askConsole(request, pathname)
  }

  async #askPlugin(request: IncomingMessage, path: string, whole: string): Promise<HttpAnswer> {
    const { plugin, reader, release } = this.#subject
    const method = request.method ?? 'GET'
    const text = await textOf(request)
    const { area, user, tenant, locale } = reader
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const isPublic = whole.startsWith('/api/public/')
    if (!isPublic && !whole.startsWith(`/${area}/`)) return absentAnswer()
    // Nobody who is not signed in reaches the routes of administrators; without a tenant they would.
    const caller = { user: isPublic ? null : user, tenant: isPublic ? reader.visited : tenant, locale }
    if (!isRouteOf(release, `${method} ${path}`, isPublic, caller)) return absentAnswer()
    const answer = await plugin.request(
      `${method} ${path}`,
      { headers, ...(text === '' ? {} : { body: JSON.parse(text) as string, rawBody: text }) },
      caller,
    )
    this.asked.push({ method, path, status: answer.status })
    return pluginAnswer(answer)
  }

  async #readPage(pathname: string, asking: IncomingHttpHeaders): Promise<HttpAnswer> {
    const { name, treeHash, directory, files } = this.#subject.release
    const file = pathname.slice(`/plugin-ui/${name}/${treeHash}/`.length)
    if (!pathname.startsWith(`/plugin-ui/${name}/${treeHash}/ui/`) || !Object.hasOwn(files, file)) return absentAnswer()
    const content = await readFile(join(directory, file))
    const { host: authority = '', 'user-agent': userAgent = '' } = asking
    const asked = { name, treeHash, file, authority, userAgent, isDevelopment: true }
    const look = () => Promise.resolve(lookInto(file, content))
    const { contentType, inserts, headers } = await describePageFile(asked, look)
    const body = Buffer.concat(await Array.fromAsync(withInserts([content], inserts)))
    return { status: 200, headers: { ...headers, 'content-type': contentType }, body }
  }

  async #askConsole(request: IncomingMessage, pathname: string): Promise<HttpAnswer> {
    const { reader, release } = this.#subject
    const method = request.method ?? 'GET'
    const text = await textOf(request)
    const body = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>
    if (pathname === '/plugins/page-logs') {
      const { level, message, places } = body as unknown as PageSaid
      this.said.push({ level, message, places })
      return dataAnswer({})
    }
    if (pathname.startsWith('/preferences') && method !== 'GET') {
      for (const [key, value] of Object.entries(body)) reader.choose(key, value)
      if (method === 'DELETE') reader.choose(decodeURIComponent(pathname.slice('/preferences/'.length)), undefined)
      return dataAnswer({})
    }
    const data = consoleAnswer(method, pathname, reader, release)
    return data === undefined ? absentAnswer() : dataAnswer(data)
  }
}

/** Whether a request has a route where it is sent to: public ones have an address of their own. */
function isRouteOf({ manifest }: Release, spelt: string, isPublic: boolean, caller: TestCaller): boolean {
  const others = isPublic ? { admin_routes: [], tenant_routes: [] } : { public_routes: [] }
  try {
    findRoute({ ...manifest, ...others }, spelt, {}, caller)
    return true
  } catch (error) {
    // Whoever may not ask for it is refused by the plugin.
    return !(error instanceof RouteNotFoundError)
  }
}

async function readSdk(name: string): Promise<HttpAnswer> {
  const file = await loadPageSdk(name)
  if (!file) return absentAnswer()
  return { status: 200, headers: { ...file.headers, 'content-type': file.contentType }, body: file.content }
}

async function readBuilt(file: string): Promise<HttpAnswer> {
  const content = file.includes('..') ? undefined : await readFile(join(built, file)).catch(() => undefined)
  if (!content) return absentAnswer()
  return { status: 200, headers: { 'content-type': contentTypeOf(file) }, body: content }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
