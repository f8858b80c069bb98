import { sendChange } from '../push/send-push.ts'
import type { Change } from '../push/signed-change.ts'
import { requiredOption, UsageError, type Answer } from './command.ts'
import { readSigningKey } from './key-file.ts'
import { addressOf, tokenFor } from './publish-to.ts'

type Given = Readonly<Record<string, string | undefined>>

/** What a command that changes a publication says about an index that takes pushes. */
export const changeAbout =
  'An address takes it with a token of its keeper (--token-file, STOA_INDEX_TOKEN, or --ci) and signed with the key of the publisher (--key).'

/** The options of such a command. */
export const changeOptions = {
  index: 'the folder of the index, or the address of one that takes pushes; this folder unless given',
  'token-file': 'a file with the token that the keeper of an address gave you; STOA_INDEX_TOKEN unless given',
  key: 'for an address: the private key of the publisher, a file of stoa keygen that ends in .key.json',
} as const

/** Its flags. */
export const changeFlags = { ci: 'change it by the identity of this run of a continuous integration' } as const

/** Asks an index at an address for a change, or does nothing where the index is a folder. */
export async function changeAt(
  change: Change,
  { index = '.', key, 'token-file': tokenFile }: Given,
  flags: ReadonlySet<string>,
): Promise<Answer | undefined> {
  if (!/^https?:\/\//.test(index)) {
    if (flags.has('ci') || (tokenFile ?? key) !== undefined)
      throw new UsageError('--ci, --token-file and --key are for an address.')
    return undefined
  }
  const signer = await readSigningKey(requiredOption(key, 'key', 'the key of the publisher'))
  const address = addressOf(index)
  const changed = await sendChange(
    address,
    change,
    signer,
    await tokenFor(address, { tokenFile, isCi: flags.has('ci') }),
  )
  return { text: [`${done[change.action]} at ${address.href}: sequence ${changed.sequence}.`], json: changed }
}

const done = { yank: 'Yanked', deprecate: 'Deprecated', unpublish: 'Unpublished' } as const
