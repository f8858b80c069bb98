import { createSecretKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import Koa from 'koa'

// The floor of routes with a caller: a bare Koa that checks the same token with jose on each request and answers the same body.
const [name = '', text = ''] = (process.env['JWT_KEYS'] ?? '').split(':')
const keys = new Map([[name, createSecretKey(Buffer.from(text))]])
const requiredClaims = ['exp', 'iat', 'sub', 'jti', 'iss']
const app = new Koa()
app.use(async (ctx) => {
  const token = ctx.get('authorization').slice('Bearer '.length)
  const { payload } = await jwtVerify(token, ({ kid }) => keys.get(kid ?? '') ?? Promise.reject(new Error('no key')), {
    algorithms: ['HS256'],
    typ: 'at+jwt',
    audience: 'api',
    requiredClaims,
  })
  const data = { user_id: payload['user_id'], tenant_id: payload['tenant_id'] }
  ctx.body = { code: 0, message: 'ok', data, trace_id: '0'.repeat(32) }
})
app.listen(Number(process.env['PORT']), '127.0.0.1')
