import assert from 'node:assert/strict'
import { dataOf, type HostilePlatform } from '../../support/hostile-platform.ts'

const path = '/tenant/plugins/evil.attacker/api/run'

/** Code that finds everything an object leads to, by own names, symbols and prototypes. */
const walk = `
  const seen = new Set()
  const names = []
  const visit = (value, trail) => {
    if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return
    seen.add(value)
    for (const key of Reflect.ownKeys(value)) {
      let inner
      try { inner = value[key] } catch { continue }
      if (/process|require|isolate|ivm|^reference$|callback|^post$|import\\.meta|secret|env$/i.test(String(key))) names.push(trail + String(key))
      visit(inner, trail + String(key) + '.')
    }
    visit(Object.getPrototypeOf(value), trail + '^')
  }`

interface Escape {
  readonly name: string
  readonly code: string
  readonly finds: unknown
}

const escapes: readonly Escape[] = [
  {
    name: 'the names of Node',
    code: `return ['process', 'require', 'module', 'exports', 'Buffer', 'global', 'setImmediate', 'navigator', 'Worker',
      'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', 'WeakRef', 'ivm', '_ivm', 'post']
      .filter((name) => typeof globalThis[name] !== 'undefined')`,
    finds: [],
  },
  {
    name: 'imports',
    code: `const tried = ['node:fs', 'fs', 'isolated-vm', './index.js', '../../../etc/passwd', 'stoa:guest', 'data:text/javascript,1', 'http://127.0.0.1/']
      return Promise.all(tried.map((name) => import(name).then(() => name, () => undefined))).then((found) => found.filter(Boolean))`,
    finds: [],
  },
  {
    name: 'constructors of everything in sight',
    code: `const from = [ctx, ctx.http, ctx.http.fetch, ctx.storage.get, ctx.config.get, ctx.log.info, ctx.t, db, db.table, db.tx, db.table('loot'),
        db.table('loot').where, ctx.cache.get('x'), request, request.headers, run, (async () => {}), (function* () {}), (async function* () {}), Symbol, 1n, [].values()]
      const world = []
      for (const value of from) {
        try { world.push(value.constructor.constructor('return typeof process + typeof require + typeof globalThis.constructor.constructor')()) } catch {}
      }
      return [...new Set(world)]
      function run() {}`,
    finds: ['undefinedundefinedfunction'],
  },
  {
    name: 'constructors of generators',
    code: `const worlds = [function* () {}, async function* () {}].map((f) => f.constructor('return typeof process')().next())
      return Promise.all(worlds).then((found) => found.map(({ value }) => value))`,
    finds: ['undefined', 'undefined'],
  },
  {
    name: 'everything that ctx, db and the global object lead to',
    code: `${walk}
      visit(ctx, 'ctx.'); visit(db, 'db.'); visit(db.table('loot'), 'query.'); visit(globalThis, '')
      return names`,
    finds: [],
  },
  {
    name: 'the stack',
    code: `'use strict'
      let sites = []
      Error.prepareStackTrace = (_, found) => { sites = found; return '' }
      new Error('x').stack
      const reached = sites.flatMap((site) => [site.getFunction?.(), site.getThis?.()]).filter((value) => value !== undefined)
      return { reached: reached.length, outside: sites.map((site) => String(site.getFileName?.())).filter((name) => /^(\\/|file:|node:)/.test(name)) }`,
    finds: { reached: 0, outside: [] },
  },
  {
    name: 'the caller',
    code: `try { const caller = (function () { return arguments.callee.caller })(); return typeof caller?.caller } catch { return 'refused' }`,
    finds: 'refused',
  },
  {
    name: 'the sealed ctx and db',
    code: `const tried = []
      for (const target of [ctx, ctx.http, ctx.storage, ctx.log, ctx.crypto, ctx.plugin, db]) {
        tried.push(Object.getPrototypeOf(target) === null || target === ctx.plugin)
        if (target === ctx.plugin) continue
        try { Object.defineProperty(target, 'fetch', { value: 1 }); tried.push('defined') } catch {}
        try { Object.setPrototypeOf(target, { a: 1 }); tried.push('grafted') } catch {}
      }
      return [...new Set(tried)]`,
    finds: [true],
  },
  {
    name: 'the glue through replaced built-ins',
    code: `const caught = []
      const spy = (name) => function (...values) { caught.push(name); return undefined }
      const kept = { parse: JSON.parse, stringify: JSON.stringify, then: Promise.prototype.then, push: Array.prototype.push, call: Function.prototype.call, apply: Function.prototype.apply }
      JSON.parse = spy('parse'); JSON.stringify = spy('stringify'); Array.prototype.push = spy('push')
      Function.prototype.call = spy('call'); Function.prototype.apply = spy('apply')
      Object.defineProperty(Object.prototype, '0', { set: spy('zero'), get() {}, configurable: true })
      Object.defineProperty(Object.prototype, 'operation', { set: spy('operation'), get() {}, configurable: true })
      try { await ctx.cache.set('a', 1); await ctx.crypto.sha256('a'); await db.table('loot').where('id', 1) } catch (error) { caught[caught.length] = String(error) }
      delete Object.prototype[0]; delete Object.prototype.operation
      JSON.parse = kept.parse; JSON.stringify = kept.stringify; Array.prototype.push = kept.push
      Function.prototype.call = kept.call; Function.prototype.apply = kept.apply
      return caught`,
    finds: [],
  },
  {
    name: 'operations that the ctx does not offer',
    code: `await ctx.storage.put('chosen', 'b', { key: '../escaped', operation: 'db.query', capability: 'users' })
      await ctx.cache.set('b', 'c', { key: 'x'.repeat(300) })
      return [(await ctx.storage.list({ prefix: 'chosen' })).objects.map(({ key }) => key), await ctx.cache.get('b')]`,
    finds: [['chosen'], 'c'],
  },
  {
    name: 'what a request carries of its caller',
    code: `return [request.headers.authorization ?? null, request.headers.cookie ?? null, request.headers['x-api-key'] ?? null, Object.keys(ctx.user).sort(), Object.keys(ctx.tenant).sort()]`,
    finds: [null, null, null, ['id', 'permissions'], ['code', 'id']],
  },
]

/** Code that reaches for what is outside its isolate. */
export function escape(platformOf: () => HostilePlatform): void {
  for (const { name, code, finds } of escapes) {
    it(`leads nowhere: ${name}`, async () => {
      const headers = { cookie: 'session=secret' }
      const { api } = platformOf().demo
      assert.deepEqual(dataOf(await api.post(path, { code }, { headers })), finds)
    })
  }

  it('keeps tenants out of each other’s globals, prototypes and modules', async () => {
    const { demo, other } = platformOf()
    const taint = `globalThis.mine = Object.prototype.tainted = Array.prototype.tainted = Promise.prototype.tainted = ctx.tenant.code
      JSON.stolen = ctx; return null`
    const look =
      'return [globalThis.mine, {}.tainted, [].tainted, Promise.resolve().tainted, JSON.stolen].map((value) => value ?? null)'
    dataOf(await demo.api.post(path, { code: taint }))
    assert.deepEqual(dataOf(await other.api.post(path, { code: look })), [null, null, null, null, null])
    const clean = `delete Object.prototype.tainted; delete Array.prototype.tainted; delete Promise.prototype.tainted; return null`
    dataOf(await demo.api.post(path, { code: clean }))
  })

  it('revokes a ctx and a db with the end of their call', async () => {
    const { api } = platformOf().demo
    dataOf(await api.post(path, { code: 'globalThis.old = { ctx, db }; return null' }))
    const code = `const why = (work) => work().then(() => 'it worked', (error) => error.code)
      const { ctx: oldCtx, db: oldDb } = globalThis.old
      return Promise.all([why(() => oldCtx.cache.get('a')), why(() => oldCtx.storage.list()), why(() => oldCtx.http.fetch({ url: 'http://upstream.localhost' })),
        why(async () => oldDb.table('loot')), why(() => oldDb.tx(async () => {})), why(() => oldCtx.events.publish('evil.attacker.thing.done', 1))])`
    assert.deepEqual(
      dataOf(await api.post(path, { code })),
      Array.from({ length: 6 }, () => 'revoked'),
    )
  })

  it('ends what a transaction could do with the transaction', async () => {
    const { api } = platformOf().demo
    const code = `let kept
      await db.tx(async (inner) => { kept = inner })
      return kept.table('loot').then(() => 'it worked', (error) => error.details.reason)`
    assert.equal(dataOf(await api.post(path, { code })), 'transaction_over')
  })
}
