import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

// The floor of uploads: hashes what comes and writes it, by node:http alone.
const folder = process.env['FOLDER'] ?? ''

async function take(request: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  async function* pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of content) {
      hash.update(bytes)
      yield bytes
    }
  }
  await pipeline(request, pass, createWriteStream(path.join(folder, 'taken'), { flush: true }))
  return hash.digest('hex')
}

createServer((request, response) => {
  void take(request).then((hash) => response.writeHead(201).end(hash))
}).listen(Number(process.env['PORT']), '127.0.0.1')
