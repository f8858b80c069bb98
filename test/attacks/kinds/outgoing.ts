import type { Attack } from '../attack.ts'
import { runCode } from './run-code.ts'

const fetches = (url: string, count: number): string =>
  `return Promise.all(Array.from({ length: ${count} }, (_, i) => ctx.http.fetch({ url: ${url} }).catch(({ code }) => code)))`
const options = { callers: 6, isTogether: true }

/** Names whose server is silent: 48 fetches at once and more, each for a name of its own. */
export const silentDns: Attack = runCode(
  'silent-dns',
  Array.from({ length: 4 }, (_, index) =>
    fetches(`'http://h' + i + '-${index}-' + ctx.now() + '.silent.example.com/'`, 16),
  ),
  options,
)

/** Servers that answer a byte now and then, or never. */
export const slowServers: Attack = {
  name: 'slow-servers',
  prepare(field) {
    const { drip, mute } = field.world.servers.ports
    const pieces = [`'http://drip.example.com:${drip}/'`, `'http://mute.example.com:${mute}/'`]
    return runCode(
      'slow-servers',
      [...pieces, ...pieces].map((url) => fetches(url, 16)),
      options,
    ).prepare(field)
  },
}
