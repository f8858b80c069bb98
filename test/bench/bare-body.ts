import { readFileSync } from 'node:fs'
import Koa from 'koa'

// The floor: the same body with the same version on a bare Koa, which tells by itself whether the caller has it.
const body = readFileSync(process.env['BODY'] ?? '', 'utf8')
const etag = process.env['ETAG'] ?? ''
const app = new Koa()
app.use((ctx) => {
  ctx.status = 200
  ctx.type = 'json'
  ctx.etag = etag
  ctx.set('cache-control', 'no-cache')
  if (ctx.fresh) ctx.status = 304
  else ctx.body = body
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
