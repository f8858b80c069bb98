/** One hostile plugin: the body of its handler, code before it, and the ways its call may end. */
export interface Attack {
  readonly name: string
  readonly body: string
  readonly before?: string
  readonly ends: readonly string[]
}

/** One, whose ways to end are separated by blanks. */
export const attack = (name: string, ends: string, body: string, before = ''): Attack => ({
  name,
  body,
  before,
  ends: ends.split(' '),
})

/** Code that does not stop. */
export const loops: readonly Attack[] = [
  attack('an endless loop', 'limit:cpu', 'for (;;);'),
  attack('an endless loop after an await', 'limit:cpu', 'await null; for (;;);'),
  attack('an endless loop after a host call', 'limit:cpu', 'await ctx.cache.get("a"); for (;;);'),
  attack('an endless loop at the top of the module', 'limit:cpu', '', 'for (;;);'),
  attack(
    'a loop that swallows its termination',
    'limit:cpu',
    'for (;;) try { for (;;); } catch {} finally { for (;;); }',
  ),
  attack('a loop in a getter of the answer', 'limit:cpu', 'return { get a() { for (;;); } }'),
  attack('a loop in toJSON', 'limit:cpu', 'return { toJSON() { for (;;); } }'),
  attack(
    'a loop in a getter of the definition',
    'limit:cpu',
    '',
    'Object.prototype.x = 1; const trap = { get handlers() { for (;;); } }; export { trap }; await null; for (;;);',
  ),
  attack('a loop in a proxy', 'limit:cpu', 'return new Proxy({}, { ownKeys() { for (;;); } })'),
  attack('a regular expression that backtracks', 'limit:cpu', 'return /^(a+)+$/.test("a".repeat(60) + "!")'),
  attack('a loop in a comparison of sort', 'limit:cpu', 'return [2, 1].sort(() => { for (;;); })'),
  attack(
    'a sort of millions',
    'limit:cpu limit:memory',
    'return new Array(2e7).fill(0).map(() => Math.random()).sort().length',
  ),
  attack('a fill of a huge array', 'limit:cpu limit:memory threw', 'return new Array(1e9).fill(1).length'),
  attack('a huge join', 'limit:cpu limit:memory threw', 'return new Array(2 ** 32 - 1).join("ab").length'),
  attack(
    'an indexOf over a huge sparse array',
    'limit:cpu limit:memory ok',
    'const a = []; a.length = 4294967295; return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  ),
  attack('a power of big integers', 'limit:cpu limit:memory threw', 'return String((7n ** 9000000n) ** 3n).length'),
  attack(
    'a big integer in decimal',
    'limit:cpu limit:memory threw',
    'return ((1n << 40000000n) - 1n).toString().length',
  ),
  attack(
    'a microtask loop',
    'limit:cpu',
    'const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})',
  ),
  attack(
    'a microtask loop after the answer',
    'limit:cpu ok',
    'const again = () => Promise.resolve().then(again); again(); return 1',
  ),
  attack(
    'an async generator without end',
    'limit:cpu',
    'async function* f() { for (;;) yield 1 } for await (const _ of f());',
  ),
  attack('a thenable without end', 'limit:cpu limit:memory', 'const t = { then(r) { r(t) } }; return t'),
  attack('a hostile then that loops', 'limit:cpu', 'return { then() { for (;;); } }'),
  attack(
    'a stringify of a deep structure',
    'limit:cpu limit:memory invalid threw',
    'let a = {}; for (let i = 0; i < 1e6; i++) a = { a }; return a',
  ),
  attack(
    'a stringify of a shared structure that doubles',
    'limit:cpu limit:memory limit:response_bytes invalid',
    'let a = ["x"]; for (let i = 0; i < 40; i++) a = [a, a]; return a',
  ),
  attack(
    'a parse of a deep text',
    'limit:cpu limit:memory invalid threw',
    'return JSON.parse("[".repeat(3e6) + "]".repeat(3e6))',
  ),
  attack(
    'a Date that is formatted for ever',
    'limit:cpu',
    'for (;;) new Date().toLocaleString("de", { timeZone: "Europe/Berlin" })',
  ),
  attack(
    'a normalisation of a huge text',
    'limit:cpu limit:memory threw ok',
    'return "\\u1E9B\\u0323".repeat(2e7).normalize("NFKC").length',
  ),
]

/** Code that takes memory. */
export const bombs: readonly Attack[] = [
  attack('arrays', 'limit:memory limit:cpu', 'const a = []; for (;;) a.push(new Array(1e5).fill(a.length))'),
  attack('objects', 'limit:memory limit:cpu', 'const a = []; for (;;) a.push({ a: { b: { c: a.length } } })'),
  attack('strings', 'limit:memory limit:cpu threw', 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)'),
  attack(
    'a string that doubles',
    'limit:memory limit:cpu threw',
    'let s = "abc"; const a = []; for (;;) { s += s; a.push([...s].length) }',
  ),
  attack('a repeat beyond the longest string', 'threw limit:memory', 'return "x".repeat(2 ** 30).length'),
  attack('one huge buffer', 'threw limit:memory ok', 'return new ArrayBuffer(8e9).byteLength'),
  attack('typed arrays', 'limit:memory limit:cpu threw', 'const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))'),
  attack(
    'resizable buffers',
    'limit:memory limit:cpu threw',
    'const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 1e8 }); b.resize(1e8); new Uint8Array(b).fill(1); a.push(b) }',
  ),
  attack(
    'resizable buffers that are kept in spite of a refusal',
    'ok limit:memory limit:cpu',
    'globalThis.kept = []; try { for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 1e8 }); b.resize(1e8); new Uint8Array(b).fill(1); kept.push(b) } } catch { return kept.length }',
  ),
  attack('a flood of promises', 'limit:memory limit:cpu', 'const a = []; for (;;) a.push(new Promise(() => {}))'),
  attack('a map that grows', 'limit:memory limit:cpu', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, "v" + i)'),
  attack('closures', 'limit:memory limit:cpu', 'const a = []; for (;;) { const x = new Array(1000); a.push(() => x) }'),
  attack('recursion', 'threw limit:cpu', 'const f = () => f() + 1; return f()'),
  attack(
    'a recursion that catches',
    'limit:cpu limit:memory threw ok',
    'const f = () => { try { f() } catch { f() } }; f()',
  ),
  attack(
    'symbols and names',
    'limit:memory limit:cpu',
    'const o = {}; for (let i = 0; ; i++) o[Symbol.for("k" + i)] = i',
  ),
  attack(
    'memory kept between calls',
    'limit:memory limit:cpu threw',
    'globalThis.kept ??= []; for (;;) kept.push(new Float64Array(1e5).fill(1))',
  ),
  attack(
    'memory at the top of the module',
    'limit:memory limit:cpu',
    '',
    'const a = []; for (;;) a.push(new Array(1e5).fill(1))',
  ),
]

/** Code that waits or floods. */
export const floods: readonly Attack[] = [
  attack('a promise that never settles', 'timeout', 'await new Promise(() => {})'),
  attack('a then that never calls', 'timeout', 'return { then() {} }'),
  attack('a top-level await that never settles', 'load', '', 'await new Promise(() => {})'),
  attack(
    'a flood of host calls',
    'limit:host_calls',
    'for (let i = 0; i < 1e5; i++) ctx.cache.get("a"); await new Promise(() => {})',
  ),
  attack('host calls one after another', 'limit:host_calls', 'for (;;) await ctx.cache.get("a")'),
  attack('a huge argument', 'threw', 'await ctx.cache.set("a", "x".repeat(2e6))'),
  attack('a flood of log lines', 'ok limit:cpu', 'for (let i = 0; i < 1e5; i++) ctx.log.info("x".repeat(5000), { i })'),
  attack('an answer that is too large', 'limit:response_bytes', 'return "x".repeat(200000)'),
  attack('an answer too large in bytes only', 'limit:response_bytes', 'return "\\u20AC".repeat(90000)'),
  attack('floods of digests', 'limit:host_calls', 'for (;;) await ctx.crypto.sha256("a")'),
]

/** Throws and answers of every kind. */
export const throws: readonly Attack[] = [
  attack('null', 'threw', 'throw null'),
  attack('undefined', 'threw', 'throw undefined'),
  attack('a symbol', 'threw', 'throw Symbol("s")'),
  attack('a function', 'threw', 'throw () => {}'),
  attack('a cyclic object', 'threw', 'const a = {}; a.a = a; a.details = a; throw a'),
  attack('a proxy that throws', 'threw', 'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 1 } })'),
  attack(
    'an error with looping getters',
    'limit:cpu',
    'throw Object.defineProperty(new Error("x"), "message", { get() { for (;;); } })',
  ),
  attack(
    'an error whose stack loops',
    'limit:cpu',
    'throw Object.defineProperty(new Error("x"), "stack", { get() { for (;;); } })',
  ),
  attack('a huge message', 'threw limit:memory', 'throw new Error("x".repeat(1e7))'),
  attack('huge details', 'threw', 'throw Object.assign(new Error("x"), { details: "x".repeat(1e6) })'),
  attack(
    'a looping error at the top of the module',
    'limit:cpu load',
    '',
    'throw Object.defineProperty(new Error("x"), "stack", { get() { for (;;); } })',
  ),
  attack('null at the top of the module', 'load', '', 'throw null'),
  attack(
    'prepareStackTrace that loops',
    'limit:cpu threw',
    'Error.prepareStackTrace = () => { for (;;); }; throw new Error("x")',
  ),
  attack('a function as the answer', 'invalid', 'return () => 1'),
  attack('a symbol as the answer', 'invalid', 'return Symbol("s")'),
  attack('a big integer as the answer', 'invalid', 'return 1n'),
  attack('a cyclic answer', 'invalid', 'const a = {}; a.a = a; return a'),
  attack('an answer with a toJSON that throws null', 'invalid', 'return { toJSON() { throw null } }'),
  attack('a then getter that throws', 'threw', 'return { get then() { throw new Error("then") } }'),
  attack('a then that resolves many times', 'ok', 'return { then(resolve) { resolve(1); resolve(2); throw 3 } }'),
  attack('a rejection that nobody handles', 'ok', 'Promise.reject(new Error("x")); return 1'),
  attack(
    'rejections with looping getters that nobody handles',
    'ok limit:cpu',
    'Promise.reject(Object.defineProperty(new Error("x"), "message", { get() { for (;;); } })); return 1',
  ),
  attack('a rejection of null that nobody handles', 'ok', 'Promise.reject(null); return 1'),
]
