import { createHash } from 'node:crypto'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { createKeyFiles } from './key-file.ts'

/** `stoa keygen`: a key pair to sign packages with. */
export const keygen: Command = {
  usage: '<key id> [--out <path without ending>]',
  summary: 'Makes a key pair to sign packages with.',
  about: ['Name it after the publisher and the year, such as acme-2026a: its id is never used for another key.'],
  examples: ['stoa keygen acme-2026a'],
  options: { out: 'where the two files go; the key id unless given' },
  async run(operands, { out }) {
    const kid = onlyOperand(operands, 'an id for the key, such as acme-2026a')
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(kid))
      throw new UsageError('The id of a key is letters, digits, dots, hyphens and underscores.')
    const stem = out ?? kid
    const { publicKey } = await createKeyFiles(kid, stem)
    const [secret, open] = [`${stem}.key.json`, `${stem}.pub.json`]
    const fingerprint = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex')
    return {
      text: [
        `Keep ${secret} to yourself: it signs.`,
        `Give ${open} to those who verify.`,
        '',
        'For the publishers.json of an index:',
        `  ${JSON.stringify({ kid, publicKey })}`,
        `  fingerprint  ${fingerprint}`,
      ],
      json: { kid, public_key: publicKey, fingerprint, key_file: secret, public_key_file: open },
    }
  },
}
