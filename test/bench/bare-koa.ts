import Koa from 'koa'
import { bodyParser } from '@koa/bodyparser'

// The floor: the same JSON in and out on a bare Koa, with the body parser and nothing else.
const app = new Koa()
app.use(bodyParser())
app.use((ctx) => {
  const { text } = ctx.request.body as { text: string }
  ctx.body = { code: 0, message: 'ok', data: { echoed: text, length: text.length }, trace_id: '0'.repeat(32) }
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
