import { bombs, floods, loops, throws, type Attack } from '../../sandbox/host-attacks.ts'

const snippet = (name: string, ends: string, body: string): Attack => ({
  name,
  body,
  before: '',
  ends: ends.split(' '),
})

/** Told differently at the door, whose limits are larger: below. */
const retold: ReadonlySet<string> = new Set([
  'a huge argument',
  'an answer that is too large',
  'an answer too large in bytes only',
])

const deep = 'const deep = (depth) => { let value = 1; for (let i = 0; i < depth; i++) value = [value]; return value };'

const moreFloods: readonly Attack[] = [
  snippet('a huge argument', 'refused', 'await ctx.cache.set("a", "x".repeat(2e6))'),
  snippet('a large argument', 'refused', 'await ctx.cache.set("a", "x".repeat(1e6))'),
  snippet('an answer that is too large', 'limit:response_bytes', 'return "x".repeat(1.1e6)'),
  snippet('an answer too large in bytes only', 'limit:response_bytes', 'return "\\u20AC".repeat(5e5)'),
  snippet('a sleep', 'limit:cpu', 'for (const end = ctx.now() + 1e9; ctx.now() < end; );'),
  snippet(
    'a flood of events',
    // Where the database is slow, most of its clock goes into waiting for what is kept.
    'busy timeout unknown',
    'for (let i = 0; i < 150; i++) await ctx.events.publish("evil.attacker.thing.done", { i })',
  ),
  snippet(
    'a flood of files',
    'storage',
    'for (let i = 0; i < 20; i++) await ctx.storage.put("flood/" + i, "x".repeat(3e5))',
  ),
  snippet(
    'many files at once beyond the quota',
    'storage',
    'await Promise.all(Array.from({ length: 20 }, (_, i) => ctx.storage.put("burst/" + i, "x".repeat(3e5))))',
  ),
  snippet(
    'rows without end',
    'limit:host_calls limit:cpu',
    'for (;;) await db.table("loot").insert({ label: "x".repeat(1000) })',
  ),
  snippet(
    'transactions that are never ended',
    'timeout',
    'for (let i = 0; i < 16; i++) db.tx(() => new Promise(() => {})).catch(() => {}); await new Promise(() => {})',
  ),
]

const moreThrows: readonly Attack[] = [
  snippet('a forged error of the platform', 'threw', 'throw { code: "internal", status: 5000, message: "x" }'),
  snippet(
    'an argument of any depth',
    'ok',
    `${deep} try { await ctx.cache.set('a', deep(5000)) } catch ({ details }) { if (details.reason !== 'argument_too_deep') throw 1 }`,
  ),
  snippet(
    'an error with details of any depth',
    'absent',
    `${deep} throw { code: 'not_found', message: 'x', details: { a: deep(7000) } }`,
  ),
  snippet('an answer with a body of any depth', 'invalid', `${deep} return { status: 200, body: deep(3500) }`),
  snippet('a line of any depth', 'ok', `${deep} ctx.log.info('a', deep(2000)); return 1`),
  snippet(
    'a refusal of the platform with a name that is none',
    'denied',
    'throw { code: "forbidden", message: "x", details: { reason: "capability_missing", capability: { toString: 1 } } }',
  ),
  snippet('a forged status', 'threw', 'throw { status: 200, code: "ok" }'),
  snippet('a status that is no number', 'threw', 'throw { status: NaN, code: { toString() { return "not_found" } } }'),
  snippet('an answer with a status of its own', 'threw', 'return { status: 999, body: null }'),
  snippet('an answer that is none yet', 'invalid', 'return { status: 101, headers: {}, body: null }'),
  snippet('a cookie', 'invalid', 'return { status: 200, headers: { "set-cookie": "a=b" }, body: 1 }'),
  snippet('a page', 'invalid', 'return { headers: { "content-type": "text/html" }, body: "<script></script>" }'),
  snippet(
    'a picture that is a page',
    'invalid',
    'return { headers: { "content-type": "image/svg+xml" }, body: "<svg/>" }',
  ),
  snippet('a header in two lines', 'invalid', 'return { headers: { "cache-control": "no-store\\r\\nx: y" }, body: 1 }'),
  snippet('a redirect to another site', 'invalid', 'return { status: 302, headers: { location: "//evil.test/" } }'),
  snippet('a redirect with a backslash', 'invalid', 'return { status: 302, headers: { location: "/\\\\evil.test/" } }'),
]

/** Every attack that one handler can make, by kind. */
export const snippets: Readonly<Record<string, readonly Attack[]>> = {
  loops,
  bombs,
  floods: [...floods.filter(({ name }) => !retold.has(name)), ...moreFloods],
  throws: [...throws, ...moreThrows],
}
