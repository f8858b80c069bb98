import { readFile } from 'node:fs/promises'
import { readLicence, verifyLicence } from '../../licence/token.ts'
import { onlyOperand, UsageError, type Command } from '../command.ts'
import { readPublicKey } from '../key-file.ts'
import { describeLicence } from './describe-licence.ts'

/** `stoa licence inspect`: what a token says, and whether the owner of a key signed it. */
export const licenceInspect: Command = {
  usage: '<token or file> [--key <public key file>]',
  summary: 'Tells what a licence token says, and with a key whether it was signed with it.',
  examples: ['stoa licence inspect customer.licence --key acme-lic-2026.pub.json'],
  options: { key: 'the public key it must be signed with, a file of stoa licence keygen' },
  async run(operands, { key: keyFile }) {
    const token = await readToken(onlyOperand(operands, 'a token, or the file it is in'))
    const licence = readLicence(token)
    if (keyFile === undefined) {
      const text = [...describeLicence(licence), 'Not verified: give the key with --key.']
      return { text, json: { verified: false, licence } }
    }
    const { kid, publicKey } = await readPublicKey(keyFile)
    await verifyLicence(token, (asked) => Promise.resolve(asked.kid === kid ? publicKey : undefined))
    return { text: [...describeLicence(licence), `Signed with ${kid}.`], json: { verified: true, licence } }
  },
}

/** A token has one dot and no slash, and is longer than any name of a file. */
async function readToken(given: string): Promise<string> {
  if (/^[A-Za-z0-9_-]{100,}\.[A-Za-z0-9_-]+$/.test(given)) return given
  const file = await readFile(given, 'utf8').catch(() => {
    throw new UsageError(`There is no file ${given}, and it is no token.`)
  })
  return file.trim()
}
