import assert from 'node:assert/strict'
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'

import type { GuestLogLine } from '../../sandbox/wire/call.ts'
import { essence, handlerModule } from './host-releases.ts'
import { useWebGuest, webLimits as limits } from './web-guest.ts'

describe('what a guest has of the web', () => {
  const { install, call, outcomeOf, answer } = useWebGuest()

  it('takes URLs apart and puts them together', async () => {
    const body = `
      const url = new URL('../b?x=1#frag', 'https://user:pa%20ss@Exämple.com:8443/a/c/d')
      url.searchParams.append('y', 'ä & b')
      url.port = '443'
      return [url.href, url.origin, url.host, [...url.searchParams], URL.canParse('nothing'), URL.parse('http://[::1]:80/').href,
        String(new URLSearchParams({ a: '1 2', b: '+' })), new URL('http://0x7f.1/').hostname,
        (() => { try { new URL('http://a b/') } catch (error) { return error.message } })()]`
    assert.deepEqual(await answer(body), [
      'https://user:pa%20ss@xn--exmple-cua.com/a/b?x=1&y=%C3%A4+%26+b#frag',
      'https://xn--exmple-cua.com',
      'xn--exmple-cua.com',
      [
        ['x', '1'],
        ['y', 'ä & b'],
      ],
      false,
      'http://[::1]/',
      'a=1+2&b=%2B',
      '127.0.0.1',
      'Invalid URL',
    ])
  })

  it('encodes and decodes text', async () => {
    const body = `
      const bytes = new TextEncoder().encode('aé漢😀\\ud800')
      const decoder = new TextDecoder()
      const pieces = [...bytes].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true })).join('') + decoder.decode()
      const bad = Uint8Array.of(0xc0, 0x41, 0xf0, 0x9f)
      let fatal
      try { new TextDecoder('utf-8', { fatal: true }).decode(bad) } catch (error) { fatal = error.name }
      return [[...bytes].length, pieces, new TextDecoder().decode(bad), fatal,
        new TextDecoder('latin1').decode(Uint8Array.of(0x80, 0xe9)), new TextDecoder('utf-16le').decode(Uint8Array.of(0x3d, 0xd8, 0, 0xde)),
        btoa('\\xff\\0a'), atob(' /wBh '), (() => { try { btoa('漢') } catch (error) { return error.name } })()]`
    assert.deepEqual(await answer(body), [
      13,
      'aé漢😀\ufffd',
      '\ufffdA\ufffd',
      'TypeError',
      '€é',
      '😀',
      '/wBh',
      '\xff\0a',
      'InvalidCharacterError',
    ])
  })

  it('clones what has circles, and refuses what is code', async () => {
    const body = `
      const value = { date: new Date(0), map: new Map([['a', new Set([1])]]), bytes: Uint8Array.of(1, 2), pattern: /a/gi, error: new RangeError('r'), holes: [1, , 3] }
      value.self = value
      const copy = structuredClone(value)
      const buffer = new ArrayBuffer(4)
      const moved = structuredClone(buffer, { transfer: [buffer] })
      return [copy !== value, copy.self === copy, copy.date.toISOString(), [...copy.map.get('a')], [...copy.bytes], String(copy.pattern),
        copy.error instanceof RangeError && copy.error.message, 1 in copy.holes, buffer.byteLength, moved.byteLength,
        [() => 1, Symbol('s'), new WeakMap(), Promise.resolve()].map((odd) => { try { structuredClone({ odd }) } catch (error) { return error.name } })]`
    assert.deepEqual(await answer(body), [
      ...[true, true, '1970-01-01T00:00:00.000Z', [1], [1, 2], '/a/gi', 'r', false, 0, 4],
      ['DataCloneError', 'DataCloneError', 'DataCloneError', 'DataCloneError'],
    ])
  })

  it('makes digests and signatures that others can check', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const input = JSON.stringify({
      pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
      jwk: publicKey.export({ format: 'jwk' }),
    })
    const body = `
      const { subtle } = crypto
      const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
      const base64 = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
      const data = new TextEncoder().encode('data')
      const hmac = await subtle.importKey('raw', new TextEncoder().encode('key'), { name: 'HMAC', hash: 'SHA-512' }, true, ['sign', 'verify'])
      const mac = await subtle.sign('HMAC', hmac, data)
      const secret = await subtle.importKey('pkcs8', bytes(request.pkcs8), 'Ed25519', false, ['sign'])
      const open = await subtle.importKey('jwk', request.jwk, 'Ed25519', true, ['verify'])
      const signature = await subtle.sign('Ed25519', secret, data)
      const pair = await subtle.generateKey('Ed25519', true, ['sign', 'verify'])
      const own = await subtle.verify('Ed25519', pair.publicKey, await subtle.sign('Ed25519', pair.privateKey, data), data)
      const refused = await subtle.exportKey('pkcs8', secret).catch((error) => error.name)
      return [base64(await subtle.digest('SHA-256', data)), base64(mac), await subtle.verify('HMAC', hmac, mac, data),
        await subtle.verify('HMAC', hmac, mac, new Uint8Array(1)), base64(signature), await subtle.verify('Ed25519', open, signature, data),
        await subtle.verify('Ed25519', open, signature, new Uint8Array(1)), own, refused,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()),
        crypto.getRandomValues(new Uint32Array(4)).some((value) => value > 0),
        await ctx.crypto.hmac('key', 'data', { hash: 'sha1', encoding: 'base64' }), await ctx.crypto.sha256('data', 'base64url')]`
    assert.deepEqual(await answer(body, { input }), [
      createHash('sha256').update('data').digest('base64'),
      createHmac('sha512', 'key').update('data').digest('base64'),
      ...[true, false, sign(null, Buffer.from('data'), privateKey).toString('base64'), true, false, true],
      ...['InvalidAccessError', true, true, createHmac('sha1', 'key').update('data').digest('base64')],
      createHash('sha256').update('data').digest('base64url'),
    ])
  })

  it('fetches by way of the granted hosts', async () => {
    const asked: unknown[] = []
    const host = (operation: string, argument: string) => {
      asked.push([operation, JSON.parse(argument)])
      const body = { base64: Buffer.from('{"a":"é"}').toString('base64') }
      const value = JSON.stringify({
        status: 404,
        headers: { 'content-type': 'application/json' },
        body,
        truncated: false,
      })
      return Promise.resolve({ ok: true as const, value })
    }
    const body = `
      const aborted = await fetch('https://a.test/', { signal: AbortSignal.abort() }).catch((error) => error.name)
      const response = await fetch(new URL('/x?y=1#z', 'https://a.test'), { method: 'post', headers: { 'X-One': '1' }, body: new URLSearchParams({ q: '1' }) })
      const copy = response.clone()
      return [aborted, response.status, response.ok, response.headers.get('Content-Type'), await response.json(), response.bodyUsed, await copy.text(),
        await response.text().catch((error) => error.name), await Response.json([1]).json()]`
    assert.deepEqual(await answer(body, { host }), [
      ...['AbortError', 404, false, 'application/json', { a: 'é' }, true, '{"a":"é"}', 'TypeError', [1]],
    ])
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', 'x-one': '1' }
    const sent = { url: 'https://a.test/x?y=1', method: 'POST', headers, body: { base64: 'cT0x' }, as: 'base64' }
    assert.deepEqual(asked, [['http.fetch', sent]])
  })

  it('fails a fetch with what the platform says of it', async () => {
    const host = () =>
      Promise.resolve({
        ok: false as const,
        code: 'forbidden',
        message: 'not granted',
        details: { reason: 'host_not_granted' },
      })
    const body = `return fetch('https://a.test/').catch(({ name, code, message }) => [name, code, message])`
    assert.deepEqual(await answer(body, { host }), ['PluginError', 'forbidden', 'not granted'])
  })

  it('waits by timers as long as the call lasts', async () => {
    const body = `
      const order = []
      const late = setTimeout(() => order.push('cleared'), 1)
      clearTimeout(late)
      await new Promise((resolve) => {
        setTimeout((name) => { order.push(name); resolve() }, 30, 'later')
        setTimeout(() => order.push('soon'), 1)
        queueMicrotask(() => order.push('first'))
      })
      let ticks = 0
      await new Promise((resolve) => { const every = setInterval(() => { if (++ticks === 3) { clearInterval(every); resolve() } }, 1) })
      const signal = AbortSignal.timeout(5)
      const reason = await new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason.name)))
      const any = AbortSignal.any([new AbortController().signal, signal])
      setTimeout(() => ctx.log.info('too late'), 1_000_000)
      return [order, ticks, reason, any.aborted, typeof performance.now()]`
    assert.deepEqual(await answer(body), [['first', 'soon', 'later'], 3, 'TimeoutError', true, 'number'])
  })

  it('charges timers, and holds up no host call with them', async () => {
    const few = { ...limits, hostCalls: 30, hostCallsInFlight: 2 }
    const body = `
      for (let index = 0; index < 20; index++) setTimeout(() => undefined, 100_000)
      return (await ctx.cache.get('a')).operation`
    assert.equal(await answer(body, { limits: few }), 'cache.get')
    const flood = await outcomeOf('for (;;) setTimeout(() => undefined, 0)', { limits: { ...few, cpuMs: 300 } })
    assert.deepEqual([!flood.ok && flood.kind, !flood.ok && 'limit' in flood && flood.limit], ['limit', 'host_calls'])
  })

  it('ends with its clock what waits for a timer', async () => {
    const body = 'await new Promise((resolve) => setTimeout(resolve, 100_000))'
    const outcome = await outcomeOf(body, { limits: { ...limits, wallMs: 300 } })
    assert.equal(!outcome.ok && outcome.kind, 'timeout', JSON.stringify(outcome))
  })

  it('tells what a timer throws in the log', async () => {
    const lines: GuestLogLine[] = []
    const onLog = (some: readonly GuestLogLine[]): void => void lines.push(...some)
    await answer(
      `setTimeout(() => { throw new Error('in a timer') }, 1); await new Promise((resolve) => setTimeout(resolve, 30))`,
      { onLog },
    )
    assert.match(lines.map(({ message }) => message).join(), /nobody handled it: in a timer/)
  })

  it('logs what the console is told, also while the module is loaded', async () => {
    const lines: GuestLogLine[] = []
    const onLog = (some: readonly GuestLogLine[]): void => void lines.push(...some)
    const body = `console.warn('found', { a: [1, 'b'], of: new Map([[1, null]]) }); console.assert(1 === 2, 'odd'); const round = {}; round.round = round; console.debug(round)`
    await answer(body, { onLog }, `console.log('loaded %s', 1)`)
    assert.deepEqual(
      lines.map(({ level, message }) => [level, message]),
      [
        ['info', 'loaded %s 1'],
        ['warn', 'found {a: [1, "b"], of: Map {1 => null}}'],
        ['error', 'Assertion failed odd'],
        ['debug', '{round: [circular]}'],
      ],
    )
  })

  it('knows the languages of people', async () => {
    const body = `return [new Intl.NumberFormat('de').format(1234.5), new Intl.DateTimeFormat('zh-CN', { dateStyle: 'long', timeZone: 'UTC' }).format(0),
      new Intl.PluralRules('pl').select(3), ['z', 'ä', 'a'].sort(new Intl.Collator('de').compare).join('')]`
    assert.deepEqual(await answer(body), ['1.234,5', '1970年1月1日', 'few', 'aäz'])
  })

  it('says so where something is done outside of any call', async () => {
    const outcome = await outcomeOf('return 1', {}, `await fetch('https://a.test/')`)
    assert.match(String((essence(outcome) as { message?: string }).message), /there is no call yet/)
  })

  it('gives nothing of a call to the next', async () => {
    const code = await install(
      'web-kept',
      handlerModule(`
      if (request.keep) { globalThis.late = () => fetch('https://a.test/').then(() => 'sent', (error) => error.code); return 1 }
      return late()`),
    )
    await call(code, { limits, input: '{"keep":true}' })
    const asked: string[] = []
    const host = (operation: string) => (
      asked.push(operation),
      Promise.resolve({ ok: false as const, code: 'forbidden', message: '' })
    )
    const outcome = await call(code, { limits, host })
    // The second call asks in its own name, with its own rights.
    assert.deepEqual([outcome.ok && outcome.value, asked], ['"forbidden"', ['http.fetch']])
  })
})
