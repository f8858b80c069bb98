import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import { definitionOfVariant, filesOfVariant, manifestOfVariant, type Variant } from './releases.ts'
import { TestIndex } from '../plugin-index/world.ts'

/** A served index under as many addresses as there are sources, which may stop in the middle of an answer. */
export class HeldIndex implements AsyncDisposable {
  readonly index: TestIndex
  /** What stands in EGRESS_ALLOW_PRIVATE. */
  readonly host: string
  readonly #holds = new Map<string, () => void>()
  readonly #halves: (() => void)[] = []
  readonly #close: () => Promise<void>
  #publishing: Promise<unknown> = Promise.resolve()

  private constructor(index: TestIndex, server: ReturnType<typeof createServer>) {
    this.index = index
    const address = server.address()
    assert.ok(typeof address === 'object' && address)
    this.host = `127.0.0.1:${address.port}`
    server.on('request', ({ url = '/' }, response) => void this.#answer(url, response))
    this.#close = async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }

  /** Serves an index of acme's, who is trusted fully. */
  static async start(): Promise<HeldIndex> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new HeldIndex(await TestIndex.create('official'), server)
  }

  /** Makes it a source of a platform. */
  async addTo(admin: Api, id: string): Promise<void> {
    dataOf(await admin.post('/admin/plugins/sources', { id, name: id, url: `http://${this.host}/${id}/` }), 201)
    dataOf(await admin.post(`/admin/plugins/sources/${id}/refresh`))
  }

  /** Publishes releases, one caller after another. */
  publish(name: string, ...variants: readonly Variant[]): Promise<unknown> {
    this.#publishing = this.#publishing.then(async () => {
      for (const variant of variants) {
        const [manifest, definition] = [manifestOfVariant(variant), definitionOfVariant(variant)]
        await this.index.publish(name, { manifest, definition, files: filesOfVariant(variant) })
      }
      await this.index.build()
    })
    return this.#publishing
  }

  /** Holds the next answer whose path contains this after half of it; resolves once it does. */
  held(part: string): Promise<void> {
    return new Promise((resolve) => this.#holds.set(part, resolve))
  }

  /** Sends the other half of what is held. */
  goOn(): void {
    for (const send of this.#halves.splice(0)) send()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
    await this.index[Symbol.asyncDispose]()
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const file = url.split('/').slice(2).join('/')
    const bytes = await readFile(path.join(this.index.directory, file)).catch(() => undefined)
    if (!bytes) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': bytes.length })
    for (const [part, reached] of this.#holds) {
      if (!url.includes(part)) continue
      this.#holds.delete(part)
      const half = Math.floor(bytes.length / 2)
      response.write(bytes.subarray(0, half))
      this.#halves.push(() => response.end(bytes.subarray(half)))
      return reached()
    }
    response.end(bytes)
  }
}
