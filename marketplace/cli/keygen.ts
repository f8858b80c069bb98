import { writeFile } from 'node:fs/promises'
import { createSigningKey } from '../package/signature.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'

/** `stoa keygen`: a key pair to sign packages with. */
export const keygen: Command = {
  usage: '<key id> [--out <path without ending>]',
  summary: 'Makes a key pair to sign packages with.',
  examples: ['stoa keygen acme-2026a'],
  options: { out: 'where the two files go; the key id unless given' },
  async run(operands, { out }) {
    const kid = onlyOperand(operands, 'an id for the key, such as acme-2026a')
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(kid))
      throw new UsageError('The id of a key is letters, digits, dots, hyphens and underscores.')
    const { publicKey, privateKey } = createSigningKey(kid)
    const secret = `${out ?? kid}.key.json`
    const open = `${out ?? kid}.pub.json`
    await writeNew(secret, { kid, publicKey, privateKey }, 0o600)
    await writeNew(open, { kid, publicKey }, 0o644)
    return {
      text: [`Keep ${secret} to yourself: it signs.`, `Give ${open} to those who verify.`],
      json: { kid, public_key: publicKey, key_file: secret, public_key_file: open },
    }
  },
}

/** Never over a key that exists: what it signed could not be signed again. */
async function writeNew(path: string, key: object, mode: number): Promise<void> {
  await writeFile(path, `${JSON.stringify(key)}\n`, { flag: 'wx', mode }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written.`)
  })
}
