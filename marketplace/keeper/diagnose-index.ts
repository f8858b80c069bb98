import { resolve } from 'node:path'
import { indexLimits } from '../index-format/index-limits.ts'
import type { StoredFile, StoredFileName } from '../index-client/stored-snapshot.ts'
import { sideFilesOf, verifyHead, verifySideFiles } from '../index-client/verify-snapshot.ts'
import { diagnose, type Diagnosis } from './diagnosis.ts'
import { fetchFile } from './fetch-file.ts'
import { readPart } from './index-folder.ts'

const soonMs = 3 * 86_400_000
const headFiles = ['root.json', 'root.json.sig', 'index.json', 'index.json.sig'] as const

/** Looks at an index, a folder or an address: whether it can be reached, whether its signatures hold, whether it is fresh. */
export async function diagnoseIndex(from: string): Promise<readonly Diagnosis[]> {
  const read = readerOf(from)
  let expires = ''
  const chain = await diagnose(
    `index ${from}`,
    'Ask its keeper; a site takes nothing of it until it is right.',
    async () => {
      const files: Partial<Record<StoredFileName, StoredFile>> = {}
      const take = async (name: StoredFileName): Promise<void> => {
        const bytes = await read(name)
        if (bytes) files[name] = { bytes }
      }
      for (const name of headFiles) await take(name)
      if (!files['index.json'])
        return {
          level: 'fail',
          says: 'there is no index.json',
          todo: 'Give the folder or address that index.json lies in.',
        }
      const unsigned = !files['root.json']
      const head = await verifyHead(files, { unsigned })
      for (const name of sideFilesOf(head)) await take(name)
      const { index, root } = await verifySideFiles(head, files)
      expires = index.expires
      const says = `sequence ${index.sequence}, ${Object.keys(index.plugins).length} plugins, fingerprint ${root?.fingerprint ?? 'none'}`
      return unsigned
        ? { level: 'warn', says: `${says}: it is not signed`, todo: 'Sites take it only when they are told to.' }
        : { level: 'ok', says }
    },
  )
  return chain.level === 'fail' ? [chain] : [chain, freshness(expires)]
}

function readerOf(from: string): (path: string) => Promise<Buffer | undefined> {
  if (!/^https?:\/\//.test(from)) return (path) => readPart(resolve(from.replace(/^file:\/\//, '')), path)
  const base = from.endsWith('/') ? from : `${from}/`
  return (path) => fetchFile(new URL(path, base).href, { most: indexLimits.indexBytes })
}

function freshness(expires: string): Diagnosis {
  const left = Date.parse(expires) - Date.now()
  const what = 'index freshness'
  const todo = 'Its keeper builds it anew: stoa index build.'
  if (left < 0) return { level: 'warn', what, says: `it expired on ${expires.slice(0, 10)}`, todo }
  if (left < soonMs) return { level: 'warn', what, says: `it expires on ${expires.slice(0, 10)}`, todo }
  return { level: 'ok', what, says: `fresh until ${expires.slice(0, 10)}` }
}
