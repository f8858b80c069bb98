import { addPublisher } from '../../keeper/change-index.ts'
import { findSigningRoot } from '../../keeper/publishers-list.ts'
import { UsageError, type Command } from '../command.ts'
import { readPublicKey, type PublicKey } from '../key-file.ts'
import { indexOption } from '../index-options.ts'

const levels = ['official', 'verified', 'community'] as const

/** `stoa index add-publisher`: whose signatures an index takes. */
export const indexAddPublisher: Command = {
  usage:
    '<publisher> <public key file | key id and public key> [--level official|verified|community] [--index <folder>]',
  summary: 'Registers a publisher, or one more key of it.',
  about: [
    'The publisher is the first label of the names of its plugins. Look at whose key it is before you register it.',
  ],
  examples: [
    'stoa index add-publisher acme acme-2026a.pub.json --index plugins --level verified',
    'stoa index add-publisher other other-1 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo --index plugins',
  ],
  options: {
    index: indexOption,
    level: 'how far the index trusts it; community unless given, and for a publisher that is known what it was',
    title: 'what the publisher is called',
    homepage: 'its https address',
  },
  async run([name, first, second, ...more], { index = '.', level, title, homepage }) {
    if (name === undefined || first === undefined || more.length > 0)
      throw new UsageError('Give the publisher and its public key: a file, or the id and the key.')
    const known = levels.find((each) => each === level)
    if (level !== undefined && !known) throw new UsageError(`--level is one of ${levels.join(', ')}.`)
    const key: PublicKey = second === undefined ? await readPublicKey(first) : { kid: first, publicKey: second }
    const publisher = await addPublisher(index, name, key, {
      ...(known ? { level: known } : {}),
      ...(title === undefined ? {} : { title }),
      ...(homepage === undefined ? {} : { homepage }),
    })
    const asked = await findSigningRoot(index)
    return {
      text: [
        `${name} is ${publisher.level} and signs with ${publisher.keys.map(({ kid }) => kid).join(', ')}.`,
        ...(asked ? waitsFor(asked.root.keysThreshold, index) : []),
      ],
      json: { publisher: name, ...publisher },
    }
  },
}

function waitsFor(people: number | undefined, index: string): readonly string[] {
  return [
    `It waits in publishers.next.json: ${people} keepers must sign it before stoa index build takes it in, each where the own key is:`,
    `  stoa index sign-keys ${index} --key <key file>`,
  ]
}
