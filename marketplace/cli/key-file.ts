import { readFile, writeFile } from 'node:fs/promises'
import { createSigningKey, type SigningKey } from '../package/signature.ts'
import { parseStrictJson } from '../package/strict-json.ts'
import { UsageError } from './command.ts'

const halfForm = /^[A-Za-z0-9_-]{43}$/

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

/** Reads one file or several with commas between, each with the private half of a key. */
export function readSigningKeys(paths: string): Promise<readonly SigningKey[]> {
  return Promise.all(paths.split(',').map((path) => readSigningKey(path.trim())))
}

/** Reads files with commas between, each with the private half of a key or, where it is somebody else's, with the public one alone. */
export function readKeys(paths: string): Promise<readonly (PublicKey | SigningKey)[]> {
  const read = (path: string) => (path.endsWith('.pub.json') ? readPublicKey(path) : readSigningKey(path))
  return Promise.all(paths.split(',').map((path) => read(path.trim())))
}

/** Makes a key pair in two new files: `<stem>.key.json`, which its owner alone can read, and `<stem>.pub.json`. */
export async function createKeyFiles(kid: string, stem: string): Promise<SigningKey> {
  const key = createSigningKey(kid)
  await writeNew(`${stem}.key.json`, key, 0o600)
  await writeNew(`${stem}.pub.json`, { kid, publicKey: key.publicKey }, 0o644)
  return key
}

/** Never over a key that exists: what it signed could not be signed again. */
async function writeNew(path: string, key: object, mode: number): Promise<void> {
  await writeFile(path, `${JSON.stringify(key)}\n`, { flag: 'wx', mode }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(error.code === 'EEXIST' ? `${path} exists already.` : `${path} cannot be written.`)
  })
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
  return typeof value === 'string' && halfForm.test(value)
}
