import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

// The floor: one file from the disk, or the word that it has not changed, by node:http alone.
const file = process.env['BODY'] ?? ''
const etag = process.env['ETAG'] ?? ''
const { size } = statSync(file)
createServer((request, response) => {
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end()
    return
  }
  response.writeHead(200, { 'content-type': 'image/webp', 'content-length': size, etag })
  createReadStream(file).pipe(response)
}).listen(Number(process.env['PORT']), '127.0.0.1')
