import { attack, type Attack } from './host-attacks.ts'

/** What is done with the globals of the web. */
export const web: readonly Attack[] = [
  attack(
    'a URL of megabytes',
    'limit:cpu limit:memory ok',
    'return new URL("http://a/" + "\u00e9".repeat(3e6)).href.length',
  ),
  attack(
    'a URL that is all user name',
    'limit:cpu limit:memory',
    'return new URL("http://" + "a:@".repeat(3e6) + "b/").href.length',
  ),
  attack(
    'a domain that is slow to write',
    'limit:cpu',
    'return URL.canParse("http://" + Array.from({ length: 1e5 }, (_, i) => String.fromCodePoint(0x4e00 + i % 20000)).join(""))',
  ),
  attack(
    'a clone without a floor',
    'threw limit:cpu',
    'let deep = []; for (let i = 0; i < 1e6; i++) deep = [deep]; structuredClone(deep)',
  ),
  attack('a clone with a getter that loops', 'limit:cpu', 'structuredClone({ get a() { for (;;); } })'),
  attack(
    'a clone of a buffer that grows',
    'threw limit:memory limit:cpu',
    'const all = []; for (;;) all.push(structuredClone(new ArrayBuffer(1e8)))',
  ),
  attack('a flood of timers', 'limit:host_calls', 'for (;;) setTimeout(() => {}, 0)'),
  attack(
    'timers that begin timers',
    'limit:host_calls',
    'const again = () => { setTimeout(again, 0); setTimeout(again, 0) }; again(); await new Promise(() => {})',
  ),
  attack('a timer that loops', 'limit:cpu', 'setInterval(() => { for (;;); }, 1); await new Promise(() => {})'),
  attack(
    'a timer of odd lengths',
    'ok',
    'for (const odd of [-1, NaN, Infinity, 2 ** 40, "x", {}, 1e308]) setTimeout(() => {}, odd); return 1',
  ),
  attack(
    'a timer that throws what loops',
    'limit:cpu ok timeout',
    'setTimeout(() => { throw { get message() { for (;;); } } }, 1); await new Promise((r) => setTimeout(r, 100))',
  ),
  attack(
    'a microtask that queues itself',
    'limit:cpu',
    'const again = () => queueMicrotask(again); again(); await new Promise(() => {})',
  ),
  attack(
    'a flood of the console',
    'ok limit:cpu',
    'for (let i = 0; i < 1e5; i++) console.log("x".repeat(5000), { i })',
  ),
  attack('a console that is shown what loops', 'limit:cpu', 'console.log({ get a() { for (;;); } })'),
  attack(
    'a console that is shown a wide and deep thing',
    'ok limit:cpu limit:memory',
    'const wide = Array(100).fill(Array(100).fill(Array(100).fill(Array(100).fill(1)))); console.log(wide); return 1',
  ),
  attack(
    'signals that follow one another',
    'ok limit:cpu limit:memory threw',
    'let signal = new AbortController(); const first = signal; signal = signal.signal; for (let i = 0; i < 1e5; i++) signal = AbortSignal.any([signal]); first.abort(); return 1',
  ),
  attack(
    'an abort that loops',
    'limit:cpu',
    'const one = new AbortController(); one.signal.onabort = () => { for (;;); }; one.abort()',
  ),
  attack('a flood of requests', 'limit:host_calls', 'for (;;) await fetch("https://a.test/").catch(() => 0)'),
  attack(
    'a request with a body that is too large',
    'threw limit:cpu',
    'await fetch("https://a.test/", { method: "POST", body: "x".repeat(2e6) })',
  ),
  attack(
    'headers that grow',
    'limit:cpu limit:memory',
    'const all = new Headers(); for (let i = 0; ; i++) all.append("a" + i, "x".repeat(1e4))',
  ),
  attack('a flood of digests', 'limit:host_calls', 'for (;;) await crypto.subtle.digest("SHA-512", new Uint8Array(8))'),
  attack('a digest of too much', 'threw limit:cpu', 'await crypto.subtle.digest("SHA-512", new Uint8Array(1e6))'),
  attack('endless random bytes', 'limit:cpu', 'for (;;) crypto.getRandomValues(new Uint8Array(65536))'),
  attack(
    'a decoder that is never done',
    'limit:cpu limit:memory',
    'const one = new TextDecoder(); let text = ""; for (;;) text += one.decode(new Uint8Array(1e5), { stream: true })',
  ),
]
