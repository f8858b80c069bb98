import { once } from 'node:events'
import { resolve } from 'node:path'
import { rootFingerprint } from '../../index-format/root.ts'
import { readPart } from '../../keeper/index-folder.ts'
import { serveIndex } from '../../keeper/serve-index.ts'
import { PushReceiver } from '../../push/receive-push.ts'
import { atMostOneOperand, UsageError, wholeNumber, type Command } from '../command.ts'
import { expiresDays, expiresOption } from '../index-options.ts'
import { readSigningKeys } from '../key-file.ts'
import { accessFileOf } from './access.ts'

/** `stoa index serve`: an index over HTTP, for a try or a local network. */
export const indexServe: Command = {
  usage: '[<folder>] [--port <port>] [--host <address>] [--key <key file> [--access-file <file>]]',
  summary: 'Serves an index over HTTP until Ctrl-C.',
  about: [
    'Reachable from this machine alone unless --host says otherwise. Any web server of static files does as well; a platform',
    'on this machine reaches it when it is started with EGRESS_ALLOW_PRIVATE=<host>:<port>.',
    'With --key it also takes releases, from whom stoa index add-token and add-ci name, and builds the index after each: put it',
    'behind what ends TLS then. Releases are signed by their publishers; who serves the index cannot make one.',
  ],
  examples: ['stoa index serve plugins --port 8098'],
  options: {
    ...{ key: 'the private key of the index, with which it is built after each push; several with commas between' },
    ...{ 'access-file': 'who may push; <folder>.access.json beside the folder unless given' },
    'expires-days': expiresOption,
    port: '8098 unless given; 0 is any free one',
    host: 'the address it listens on; 127.0.0.1 unless given',
  },
  async run(operands, { port, host = '127.0.0.1', key, 'access-file': access, 'expires-days': expires }, flags) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    if (key === undefined && (access ?? expires) !== undefined)
      throw new UsageError('--access-file and --expires-days go with --key.')
    const receiver =
      key === undefined
        ? undefined
        : new PushReceiver({
            folder,
            accessFile: accessFileOf({ index: folder, 'access-file': access }),
            keys: await readSigningKeys(key),
            expiresDays: expiresDays(expires),
          })
    await receiver?.open()
    const isTold = !flags.has('quiet') && !flags.has('json')
    await using served = await serveIndex(folder, {
      host,
      port: wholeNumber(port, 'port', 0, 65_535, 8098),
      ...(receiver && { receiver }),
      ...(isTold && {
        onRequest: (method: string, path: string, status: number) => say([`${status} ${method} ${path}`]),
      }),
    })
    const { url } = served
    if (flags.has('json')) say([JSON.stringify({ url })])
    else say(introduce(url, await readPart(folder, 'root.json')))
    await stopped()
    return { text: ['Stopped.'], json: { stopped: true } }
  },
}

function introduce(url: string, root: Buffer | undefined): readonly string[] {
  const pin = root && { root_fingerprint: rootFingerprint(root) }
  const source = JSON.stringify({ id: 'local', name: 'Local', url, ...pin })
  return [
    `Serving on ${url}`,
    '',
    'To add it as a source, start the platform so that it may reach this address:',
    `  EGRESS_ALLOW_PRIVATE=${new URL(url).host} npm start`,
    'and as its administrator:',
    `  curl $URL/admin/plugins/sources -H "authorization: Bearer $ADMIN" -H 'content-type: application/json' -d '${source}'`,
    '',
    'Ctrl-C ends it.',
  ]
}

async function stopped(): Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  await Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => once(process, name, { signal })))
  stop.abort()
}

function say(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`)
}
