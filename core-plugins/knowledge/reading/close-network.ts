import { registerHooks } from 'node:module'

/** Whatever opens a socket, or another process or thread that could. */
const closed = new Set([
  ...['net', 'tls', 'http', 'https', 'http2', 'dgram', 'dns', 'dns/promises', 'inspector', 'inspector/promises'],
  ...['child_process', 'cluster', 'worker_threads', '_http_agent', '_http_client', '_tls_wrap', 'undici', 'quic'],
])
const globals = ['fetch', 'WebSocket', 'EventSource']

function refuse(): never {
  throw new Error('There is no network here')
}

function isClosed(name: string): boolean {
  return closed.has(name.replace(/^node:/, ''))
}

// Loaded before the program. Node's permission model knows no network in this version; where the system can, it takes it away too.
registerHooks({
  resolve: (name, context, next) => (isClosed(name) ? refuse() : next(name, context)),
})
const builtin = process.getBuiltinModule.bind(process)
process.getBuiltinModule = (name: string) => (isClosed(name) ? refuse() : builtin(name))
for (const name of ['binding', '_linkedBinding']) Object.defineProperty(process, name, { value: refuse })
for (const name of globals) Object.defineProperty(globalThis, name, { value: refuse })
