import assert from 'node:assert/strict'

import { essence, handlerModule, startSandbox, tight, type TestSandbox } from './host-releases.ts'

describe('the walls around a guest', () => {
  let sandbox: TestSandbox
  let number = 0

  before(async () => {
    const started = await startSandbox()
    // No test of time: a machine that is busy with others takes long.
    const limits = { ...tight, wallMs: 20_000 }
    sandbox = { ...started, call: (code, changes) => started.call(code, { limits, ...changes }) }
  })
  after(() => sandbox[Symbol.asyncDispose]())

  /** What a handler with this body answers, tenant by tenant. */
  async function answers(body: string, tenants: readonly string[] = ['1'], before = ''): Promise<unknown[]> {
    const code = await sandbox.install(`walls-${++number}`, handlerModule(body, before))
    const values: unknown[] = []
    for (const tenant of tenants) {
      const outcome = await sandbox.call(code, { tenant })
      values.push(outcome.ok ? (JSON.parse(outcome.value) as unknown) : essence(outcome))
    }
    return values
  }

  it('leave nothing of the host in sight', async () => {
    const names = [
      'process',
      'gc',
      'require',
      'module',
      'Buffer',
      'global',
      'setImmediate',
      'XMLHttpRequest',
      'navigator',
      'ivm',
      'Isolate',
      '_ivm',
      'post',
    ]
    const removed = ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'FinalizationRegistry', 'WeakRef']
    const body = `return ${JSON.stringify([...names, ...removed])}.filter((name) => typeof globalThis[name] !== 'undefined')`
    assert.deepEqual(await answers(body), [[]])
  })

  it('lead every constructor back into the isolate', async () => {
    const reach = `const get = (value) => { try { return value.constructor.constructor('return typeof process + typeof require')() } catch (error) { return String(error) } };`
    const body = `${reach} return [ctx.id, ctx.log.info, ctx.cache.get, db.table, db.table('a'), ctx.cache.get('a'), request, load].map(get)`
    const before = 'const load = (async () => {}).constructor'
    assert.deepEqual(await answers(body, ['1'], before), [Array.from({ length: 8 }, () => 'undefinedundefined')])
  })

  it('have globals of the guest’s own kind alone, which lead nowhere else', async () => {
    const body = `
      const all = Object.getOwnPropertyNames(globalThis).map((name) => globalThis[name])
      const seen = new Set()
      const found = []
      const walk = (value, depth) => {
        if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value) || depth > 6) return
        seen.add(value)
        if (typeof value === 'function') {
          const made = Reflect.apply(Object.getPrototypeOf(function () {}).constructor, null, ['return typeof process + typeof require'])
          if (value.constructor?.constructor?.('return typeof process + typeof require')?.() !== 'undefinedundefined') found.push(String(value.name))
          if (made() !== 'undefinedundefined') found.push('made')
        }
        if (/^(?:Isolate|Reference|ExternalCopy|Callback|Context|Module|Script)$/.test(value.constructor?.name ?? '')) found.push(value.constructor.name)
        for (const key of Reflect.ownKeys(value)) { let inner; try { inner = value[key] } catch { continue } walk(inner, depth + 1) }
        walk(Object.getPrototypeOf(value), depth + 1)
      }
      for (const value of [...all, await fetch('https://a.test/').catch((error) => error), new AbortController(), new Request('https://a.test/'),
        new Response('a'), setTimeout(() => {}, 1), crypto.subtle, new URL('https://a.test/?b').searchParams, structuredClone(new Error('a'))]) walk(value, 0)
      return [found, seen.size > 500]`
    assert.deepEqual(await answers(body), [[[], true]])
  })

  it('hold when globals of the web work with built-ins that the plugin replaced', async () => {
    const before = `
      const kept = []
      const spy = (owner, key) => { const own = owner[key]; owner[key] = function (...all) { kept[kept.length] = this; for (let index = 0; index < all.length; index++) kept[kept.length] = all[index]; return Reflect.apply(own, this, all) } }
      for (const key of ['push', 'map', 'filter', 'forEach', 'join', 'slice']) spy(Array.prototype, key)
      for (const key of ['get', 'set', 'has', 'delete']) spy(Map.prototype, key)
      spy(Promise.prototype, 'then'); spy(Function.prototype, 'call'); spy(Object, 'defineProperty'); spy(Reflect, 'ownKeys')`
    const body = `
      await fetch('https://a.test/', { method: 'POST', body: 'x' }).catch(() => 0)
      await crypto.subtle.digest('SHA-256', new Uint8Array(3))
      await new Promise((resolve) => setTimeout(resolve, 1))
      console.log({ a: 1 }); structuredClone({ a: [1] }); new URL('https://a.test/?q#x').searchParams.append('b', 'c')
      const odd = [...kept].filter((value) => typeof value === 'function').filter((value) => { try { return value.constructor('return typeof process')() !== 'undefined' } catch { return false } })
      const names = kept.map((value) => { try { return value?.constructor?.name } catch { return '' } })
      return [odd.length, names.filter((name) => /^(?:Isolate|Reference|ExternalCopy|Callback)$/.test(name)), kept.length > 10]`
    assert.deepEqual(await answers(body, ['1'], before), [[0, [], true]])
  })

  it('refuse imports of anything but listed files', async () => {
    const body = `return Promise.all(['node:fs', './index.js', 'data:text/javascript,1'].map((name) => import(name).then(() => 'in', () => 'refused')))`
    assert.deepEqual(await answers(body), [['refused', 'refused', 'refused']])
    for (const specifier of ['node:fs', 'isolated-vm', './other.js', '../../../etc/passwd', '/etc/passwd']) {
      const code = await sandbox.install(`imports-${++number}`, handlerModule('', `import '${specifier}'`))
      const outcome = await sandbox.call(code)
      assert.equal(!outcome.ok && outcome.kind, 'load', specifier)
    }
  })

  it('load the files of a release, and refuse one that was changed', async () => {
    const files = {
      ...handlerModule('return two', `import { two } from './lib/two.js'`),
      'lib/two.js': 'export { two } from "../two.js"',
      'two.js': 'export const two = 2',
    }
    const code = await sandbox.install('several', files)
    const outcome = await sandbox.call(code)
    assert.equal(outcome.ok && outcome.value, '2')
    const changed = { ...code, id: 'several@changed', files: { ...code.files, 'two.js': '0'.repeat(64) } }
    assert.deepEqual(essence(await sandbox.call(changed)), {
      ok: false,
      kind: 'load',
      message: 'two.js is not what was installed',
      hostCalls: 0,
    })
  })

  it('keep tenants out of each other’s globals, prototypes and module state', async () => {
    const body = `
      const seen = [globalThis.mine, {}.polluted, [].polluted, (() => 1).polluted, count++]
      globalThis.mine = Object.prototype.polluted = Array.prototype.polluted = Function.prototype.polluted = 'yes'
      return seen`
    const fresh = [null, null, null, null, 0]
    assert.deepEqual(await answers(body, ['1', '2', '1'], 'let count = 0'), [
      fresh,
      fresh,
      ['yes', 'yes', 'yes', 'yes', 1],
    ])
  })

  it('keep nothing of a context in which a call ran into a limit', async () => {
    const code = await sandbox.install(
      'dropped',
      handlerModule('if (request.loop) { globalThis.kept = 1; for (;;); } return typeof kept'),
    )
    const before = await sandbox.call(code, { input: '{"loop":true}' })
    assert.equal(!before.ok && before.kind, 'limit')
    const outcome = await sandbox.call(code)
    assert.equal(outcome.ok && outcome.value, '"undefined"')
  })

  it('give memory back after a call that filled it', async () => {
    const body =
      'globalThis.kept ??= []; if (request.fill) for (;;) kept.push(new Float64Array(1e5).fill(1)); return kept.length'
    const code = await sandbox.install('filled', handlerModule(body))
    assert.equal(
      (await sandbox.call(code, { input: '{"fill":true}', limits: { ...tight, cpuMs: 3_000, wallMs: 20_000 } })).ok,
      false,
    )
    const outcome = await sandbox.call(code)
    assert.equal(outcome.ok && outcome.value, '0')
  })

  it('hold when the plugin replaces every built-in that the glue could use', async () => {
    const sabotage = `
      const broken = () => { throw new Error('sabotaged') }
      for (const owner of [JSON, Reflect, Object, Array, Date, Math, Promise, String, Number]) for (const key of ownKeysOf(owner)) try { owner[key] = broken } catch {}
      for (const owner of [Array, Object, Function, Promise, String, Number, Error, Map, Uint8Array, Symbol]) for (const key of namesOf(owner.prototype)) try { if (key !== 'constructor') owner.prototype[key] = broken } catch {}
      globalThis.JSON = globalThis.Promise = globalThis.Error = globalThis.Object = globalThis.Uint8Array = undefined`
    const before = `const namesOf = Object.getOwnPropertyNames, ownKeysOf = Reflect.ownKeys; ${sabotage}`
    const body = `const got = await ctx.cache.get('a'); ctx.log.info('still'); return [got.operation, typeof ctx.id(), await ctx.crypto.sha256('abc') !== '']`
    assert.deepEqual(await answers(body, ['1'], before), [['cache.get', 'string', true]])
  })

  it('are not opened by setters on prototypes or stack traces', async () => {
    const before = `
      let caught = 0
      const see = (value) => { if (value !== undefined) caught++ }
      for (const owner of [Object.prototype, Array.prototype]) for (const key of ['0', '1', 'post', 'resolve', 'reject', 'value', 'live', 'limits', 'number'])
        Object.defineProperty(owner, key, { __proto__: null, configurable: true, get() { return undefined }, set: see })
      Error.prepareStackTrace = (error, sites) => { for (const site of sites) { see(site.getFunction()); see(site.getThis()) } return '' }`
    const body = `const value = await ctx.cache.get('a'); void new Error('x').stack; return caught`
    assert.deepEqual(await answers(body, ['1'], before), [0])
  })

  it('give a frozen ctx without a prototype, which is of no use after the call', async () => {
    const body = `
      const kept = globalThis.kept; globalThis.kept = ctx
      const late = kept ? await kept.cache.get('a').catch((error) => [error.name, error.code]) : null
      return [Object.getPrototypeOf(ctx), Object.isFrozen(ctx), Object.isFrozen(ctx.cache), Object.keys(ctx), late]`
    const own = ['plugin', 'tenant', 'log', 'cache', 'stream', 't', 'id', 'now', 'crypto', 'can']
    const names = [
      ...own,
      'http',
      'storage',
      'events',
      'config',
      'notify',
      'users',
      'ai',
      'attachments',
      'jobs',
      'mail',
      'services',
    ]
    assert.deepEqual(await answers(body, ['1', '1']), [
      [null, true, true, names, null],
      [null, true, true, names, ['PluginError', 'revoked']],
    ])
  })

  it('let no argument out that is too large, and say so within', async () => {
    const body = `return ctx.cache.set('key', 'x'.repeat(request.length)).then(() => 'sent', ({ code, details }) => [code, details])`
    const code = await sandbox.install('large', handlerModule(body))
    const sent: string[] = []
    const host = (operation: string) => (sent.push(operation), Promise.resolve({ ok: true as const, value: 'null' }))
    const limits = { ...tight, wallMs: 20_000 }
    const outcome = await sandbox.call(code, { input: '{"length":1048576}', limits, host })
    const details = { reason: 'argument_too_large', limit: 'request_bytes' }
    assert.deepEqual([outcome.ok && JSON.parse(outcome.value), sent], [['invalid', details], []])
  })

  it('find no handler in what every object has', async () => {
    const code = await sandbox.install('inherited', handlerModule('return 1'))
    for (const name of ['toString', 'constructor', 'hasOwnProperty', '__proto__']) {
      for (const kind of ['handler', 'hook'] as const) {
        const outcome = await sandbox.call(code, { target: { kind, name }, limits: { ...tight, wallMs: 20_000 } })
        const expected = { ok: false, kind: 'load', message: `the plugin has no ${kind} "${name}"`, hostCalls: 0 }
        assert.deepEqual(essence(outcome), expected)
      }
    }
  })
})
