import { createHash } from 'node:crypto'
import { ExpiringMap } from '#kernel'
import { findPublisherKey } from '../index-format/publishers-file.ts'
import { rootFingerprint } from '../index-format/root.ts'
import { deprecate, yankVersion } from '../keeper/change-index.ts'
import { readIndexFolder, readPart } from '../keeper/index-folder.ts'
import { IndexRefusal } from '../keeper/index-refusal.ts'
import { unpublishVersion } from '../keeper/unpublish-version.ts'
import { isWeakKey } from '../package/weak-keys.ts'
import { refusal, type PushAnswer } from './answers.ts'
import { isChangeSignedBy, parseChange, parseSignedChange, type Change, type ChangeStatement } from './signed-change.ts'

/** How far the clocks of a publisher and of an index may be apart. */
const freshMs = 5 * 60_000
const mostUsed = 10_000

/** Believes changes that publishers signed, each of them once; of those from before it was there nobody knows, and it believes none. */
export class ChangeReader {
  readonly #folder: string
  readonly #used = new ExpiringMap<string, true>(mostUsed)
  readonly #since = Date.now()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The change that a publisher may make, or why it is refused. Throws IndexInvalidError for what is none. */
  async read(body: Buffer, publisher: string): Promise<ChangeStatement | PushAnswer> {
    const { kid, payload, sig } = parseSignedChange(body)
    const bytes = Buffer.from(payload, 'base64')
    const change = parseChange(bytes)
    const { publishers, revocations, plugins } = await readIndexFolder(this.#folder)
    const owner = plugins.get(change.plugin)?.publisher ?? change.plugin.slice(0, change.plugin.indexOf('.'))
    if (owner !== publisher)
      return refusal(
        403,
        'publisher_other',
        `${change.plugin} is of ${owner}; who changes this may do so for ${publisher}.`,
      )
    const key = findPublisherKey(publishers, kid)
    const isKnown = key?.publisher === publisher && revocations.keys.every((revoked) => revoked.kid !== kid)
    if (!isKnown || isWeakKey(key.publicKey) || !isChangeSignedBy(key.publicKey, bytes, sig))
      return refusal(403, 'signature_refused', `No key of ${publisher} that holds here signed it.`)
    const root = await readPart(this.#folder, 'root.json')
    if (!root || change.root !== rootFingerprint(root))
      return refusal(403, 'index_other', 'It was signed for another index, or for the root before.')
    if (Math.abs(Date.now() - Date.parse(change.at)) > freshMs)
      return refusal(403, 'not_fresh', 'It was signed too long ago, or the clocks are apart.')
    if (Date.parse(change.at) < this.#since)
      return refusal(403, 'not_fresh', 'It was signed before this index was started: sign it again.')
    const id = createHash('sha256').update(bytes).digest('hex')
    if (this.#used.get(id)) return refusal(409, 'used_already', 'It was made already.')
    this.#used.set(id, true, 2 * freshMs)
    return change
  }
}

/** Makes a change in the folder of an index. Throws an IndexRefusal, and then nothing is written. */
export async function applyChange(folder: string, change: Change): Promise<void> {
  const { plugin } = change
  if (!(await readIndexFolder(folder)).plugins.has(plugin))
    throw new IndexRefusal(`The index has no plugin ${plugin}.`, [], 'release_unknown')
  if (change.action === 'yank')
    return yankVersion(folder, plugin, change.version, { reason: change.reason, at: new Date(), undo: false })
  if (change.action === 'unpublish') return unpublishVersion(folder, plugin, change.version)
  return deprecate(folder, plugin, change)
}
