import type { Attack } from '../attack.ts'
import { runCode } from './run-code.ts'

const text = 'const text = "x".repeat(1_000_000)'

/** Messages that are each within every limit, and many. */
export const messages: readonly Attack[] = [
  runCode('host-call-floods', [
    `${text}; return Promise.all(Array.from({ length: 16 }, () => ctx.cache.set('key', text).catch(() => 0)))`,
    `const half = 'x'.repeat(400_000); return Promise.all(Array.from({ length: 16 }, (_, i) => ctx.storage.put('f' + i % 2, half).catch(() => 0)))`,
    `for (let i = 0; i < 190; i++) await ctx.cache.get('a'); return 1`,
    `return Promise.all(Array.from({ length: 1000 }, () => ctx.cache.get('a').catch(() => 0)))`,
  ]),
  runCode('digests', [
    `${text}; return (await Promise.all(Array.from({ length: 60 }, () => ctx.crypto.sha256(text).catch(() => 0)))).length`,
    `${text}; return (await Promise.all(Array.from({ length: 60 }, () => ctx.crypto.hmac('key', text).catch(() => 0)))).length`,
  ]),
  runCode('giant-answers', [
    'return "x".repeat(1_000_000)',
    'return "\\u20AC".repeat(330_000)',
    'return Array.from({ length: 90_000 }, (_, i) => ({ i }))',
    `const part = 'x'.repeat(900_000); await ctx.cache.set('big', part).catch(() => 0); return Promise.all(Array.from({ length: 8 }, () => ctx.cache.get('big'))).then((all) => all.length)`,
  ]),
]
