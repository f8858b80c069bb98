import { bombs, loops, throws, floods, type Attack as Piece } from '../../sandbox/host-attacks.ts'
import type { Attack } from '../attack.ts'
import { runCode } from './run-code.ts'

const pick = (pieces: readonly Piece[], ...names: readonly string[]): readonly string[] =>
  names.map((name) => {
    const piece = pieces.find((each) => each.name === name)
    if (!piece) throw new Error(`there is no attack ${name}`)
    return piece.body
  })

/** Code that takes memory, time or both of the process it shares with others. */
export const lanekill: readonly Attack[] = [
  runCode('memory-arrays', pick(bombs, 'arrays', 'objects', 'a map that grows', 'closures')),
  runCode('memory-texts', pick(bombs, 'strings', 'a string that doubles', 'symbols and names')),
  runCode('off-heap', [
    ...pick(bombs, 'one huge buffer', 'typed arrays', 'resizable buffers', 'memory kept between calls'),
    'globalThis.kept ??= []; kept.push(new ArrayBuffer(6e7)); new Uint8Array(kept.at(-1)).fill(1); return kept.length',
    'const memory = new WebAssembly.Memory({ initial: 1000 }); memory.grow(1000); return memory.buffer.byteLength',
    'const buffer = new SharedArrayBuffer(1e8); new Uint8Array(buffer).fill(1); return buffer.byteLength',
  ]),
  runCode('cpu-spins', [
    'for (;;);',
    'for (const end = Date.now() + 900; Date.now() < end; ); return 1',
    ...pick(loops, 'a sort of millions', 'a huge join', 'a loop that swallows its termination', 'a microtask loop'),
  ]),
  // More plugins at once than a sandbox host lets run.
  runCode(
    'many-spins',
    Array.from({ length: 6 }, () => 'for (;;);'),
    { callers: 2, isTogether: true },
  ),
  runCode('regex-and-numbers', [
    ...pick(loops, 'a regular expression that backtracks', 'a power of big integers', 'a big integer in decimal'),
    ...pick(loops, 'a normalisation of a huge text', 'an indexOf over a huge sparse array'),
  ]),
  runCode('json-depth', [
    ...pick(loops, 'a stringify of a deep structure', 'a stringify of a shared structure that doubles'),
    ...pick(loops, 'a parse of a deep text'),
    'let a = "["; a = a.repeat(400000); await ctx.cache.set("a", a); return 1',
    'const a = {}; let b = a; for (let i = 0; i < 5e4; i++) b = b.a = {}; await ctx.cache.set("a", a).catch(() => 0); return a',
  ]),
  runCode('promise-floods', [
    ...pick(bombs, 'a flood of promises'),
    ...pick(loops, 'a thenable without end', 'an async generator without end'),
    'for (let i = 0; i < 2e5; i++) Promise.reject(new Error("x".repeat(100))); return 1',
    'await Promise.all(Array.from({ length: 3e5 }, () => new Promise((resolve) => Promise.resolve().then(resolve)))); return 1',
  ]),
  runCode('giant-errors', [
    ...pick(throws, 'a huge message', 'huge details', 'prepareStackTrace that loops'),
    ...pick(throws, 'rejections with looping getters that nobody handles'),
    'throw Object.assign(new Error("x".repeat(9e5)), { details: { a: "y".repeat(9e5) }, stack: "z\\n".repeat(4e5) })',
  ]),
  runCode('log-floods', [
    ...pick(floods, 'a flood of log lines'),
    'for (let i = 0; i < 100; i++) ctx.log.info("x".repeat(4000), { i, text: "y".repeat(4000) }); return 1',
    'for (let i = 0; i < 5000; i++) ctx.log.error("x", { a: { b: i } }); return 1',
  ]),
]
