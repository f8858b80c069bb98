import { readFile, stat } from 'node:fs/promises'
import { ciIdentity, sendPush } from '../push/send-push.ts'
import { UsageError, type Answer } from './command.ts'

/** How the publisher shows who it is. */
interface PushMeans {
  readonly tokenFile: string | undefined
  readonly isCi: boolean
}

/** Publishes into an index that takes pushes. */
export async function publishTo(address: string, zip: string, means: PushMeans): Promise<Answer> {
  const index = addressOf(address)
  if (!(await stat(zip).catch(() => undefined))?.isFile()) throw new UsageError(`There is no file ${zip}.`)
  const pushed = await sendPush(index, zip, await tokenFor(index, means))
  const { name, version, sequence, provenance } = pushed
  return {
    text: [
      `Published ${name} ${version} at ${index.href}: sequence ${sequence}${provenance ? ', with the run that did it' : ''}.`,
    ],
    json: pushed,
  }
}

/** The address of an index, with a slash at its end. */
export function addressOf(address: string): URL {
  const index = URL.parse(address.endsWith('/') ? address : `${address}/`)
  if (!index) throw new UsageError(`${address} is no address.`)
  return index
}

/** The token that a publisher has for an index. */
export async function tokenFor(index: URL, { tokenFile, isCi }: PushMeans): Promise<string> {
  if (isCi && tokenFile !== undefined) throw new UsageError('Give --ci or --token-file.')
  if (isCi) return ciIdentity(index.href, process.env)
  const token = tokenFile === undefined ? process.env['STOA_INDEX_TOKEN'] : await readToken(tokenFile)
  if (!token) throw new UsageError('Give the token of the index: --token-file, STOA_INDEX_TOKEN, or --ci in a run.')
  return token.trim()
}

function readToken(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`There is no file ${path}.`)
  })
}
