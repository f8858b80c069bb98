import { readFile } from 'node:fs/promises'
import type { SigningKey } from '../package/signature.ts'
import { parseStrictJson } from '../package/strict-json.ts'
import { UsageError } from './command.ts'

const HALF = /^[A-Za-z0-9_-]{43}$/

/** The public half of a key, as it is given to others. */
export type PublicKey = Omit<SigningKey, 'privateKey'>

/** Reads a file that `stoa keygen` wrote, to verify with. */
export async function readPublicKey(path: string): Promise<PublicKey> {
  const key = await readKey(path)
  if (!hasHalf(key, 'publicKey')) throw new UsageError(`${path} is no key file of stoa keygen.`)
  return { kid: key.kid, publicKey: key.publicKey }
}

/** Reads a file that `stoa keygen` wrote, to sign with. */
export async function readSigningKey(path: string): Promise<SigningKey> {
  const key = await readKey(path)
  if (!hasHalf(key, 'publicKey') || !hasHalf(key, 'privateKey'))
    throw new UsageError(`${path} has no private key: sign with the file that ends in .key.json.`)
  return { kid: key.kid, publicKey: key.publicKey, privateKey: key.privateKey }
}

async function readKey(path: string): Promise<{ readonly kid: string }> {
  const file = await readFile(path).catch(() => {
    throw new UsageError(`There is no file ${path}.`)
  })
  const key = parseStrictJson(file, 1)
  if (typeof key === 'object' && key !== null && 'kid' in key && typeof key.kid === 'string')
    return { ...key, kid: key.kid }
  throw new UsageError(`${path} is no key file of stoa keygen.`)
}

function hasHalf<K extends string, T extends object>(key: T, half: K): key is T & Record<K, string> {
  const value: unknown = (key as Record<string, unknown>)[half]
  return typeof value === 'string' && HALF.test(value)
}
