import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { StorageVolume } from '../../contract.ts'
import { StorageError } from '../../errors.ts'
import { isLocation } from '../location.ts'
import { disk } from './disk.ts'
import { DraftFile } from './draft-file.ts'

/** Where files are written before they get their place; a crash leaves its half there, for the sweep to find. */
const incoming = 'incoming'
/** What is no file of ours but leads to one is not read. */
const reading = constants.O_RDONLY | constants.O_NOFOLLOW
/**
 * What the sweep may find, and where: nothing else in the folder is storage's to delete. Below `t<tenant>` are year and month; objects
 * from before locations were made that way lie below two letters of their id.
 */
const sweptPattern = /^([a-z0-9]{1,16}|t\d{1,15}\/\d{4}\/\d{2})\/[0-9a-f-]{36}(\.[a-z0-9]{1,16})?$/
const folderPattern = /^([a-z0-9]{1,16}|t\d{1,15}\/\d{4}(\/\d{2})?)$/

/** Keeps objects as files below a folder. */
export function createLocalVolume(root: string): StorageVolume {
  return {
    imageProcess: 'none',
    async put(location, content, { size } = {}) {
      const draft = path.join(root, incoming, randomUUID())
      const target = resolve(root, location)
      try {
        await disk(() => mkdir(path.dirname(draft), { recursive: true, mode: 0o700 }))
        const written = await writeWhole(draft, content)
        if (size !== undefined && written !== size) throw wrongLength(written, size)
        await disk(() => mkdir(path.dirname(target), { recursive: true, mode: 0o700 }))
        await disk(() => rename(draft, target))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async get(location, { range } = {}) {
      const handle = await disk(() => unlessGone(open(resolve(root, location), reading)))
      if (!handle) return undefined
      const { size } = await disk(() => handle.stat())
      return { content: handle.createReadStream(range ?? {}), size }
    },
    async copyTo(location, file) {
      const handle = await disk(() => unlessGone(open(resolve(root, location), reading)))
      if (!handle) return false
      try {
        // The system's copy, from what was opened: the name may lead elsewhere by now.
        await disk(() => copyFile(`/dev/fd/${handle.fd}`, file))
        return true
      } finally {
        await handle.close()
      }
    },
    async head(location) {
      const found = await disk(() => unlessGone(stat(resolve(root, location))))
      return found && { size: found.size }
    },
    async delete(location) {
      await disk(() => rm(resolve(root, location), { force: true }))
    },
    listOlderThan: (moment) => listOlderThan(root, moment),
  }
}

function wrongLength(written: number, size: number): Error {
  return new StorageError({ cause: new Error(`${written} bytes came where ${size} were told`) })
}

async function writeWhole(file: string, content: Readable): Promise<number> {
  let draft: DraftFile | undefined
  try {
    // The content is asked first, because what it throws is the caller's error and not the disk's.
    for await (const chunk of content as AsyncIterable<Buffer>) {
      draft ??= await DraftFile.open(file)
      await disk(() => draft!.write(chunk))
    }
    draft ??= await DraftFile.open(file)
    return await disk(() => draft!.finish())
  } finally {
    await draft?.close()
  }
}

async function* listOlderThan(root: string, moment: Date): AsyncGenerator<string> {
  for await (const location of walk(root, '')) {
    const found = await disk(() => unlessGone(stat(path.join(root, location))))
    if (found && found.mtime < moment) yield location
  }
}

/** What is ours below a folder, entry by entry: a month of a busy tenant is a long list. */
async function* walk(root: string, folder: string): AsyncGenerator<string> {
  const entries = await disk(() => unlessGone(opendir(path.join(root, folder))))
  for await (const { name } of entries ?? []) {
    const location = path.posix.join(folder, name)
    if (sweptPattern.test(location)) yield location
    else if (folderPattern.test(location)) yield* walk(root, location)
  }
}

function resolve(root: string, location: string): string {
  if (!isLocation(location)) throw new StorageError({ cause: new Error(`${location} is no location`) })
  return path.join(root, location)
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
