import { chmod, lstat, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A file as the file system shows it. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly ctimeMs: number
  readonly inode: number
}

/** Lists the files under a folder, in order; nothing if it is not there, or holds anything but files and folders. */
export async function listTree(root: string): Promise<StoredFile[] | undefined> {
  const files: StoredFile[] = []
  for await (const { path, kind } of walk(root)) {
    const found = await lstat(path).catch(() => undefined)
    if (kind === 'other' || !found) return undefined
    if (kind === 'file')
      files.push({ path: relative(root, path), size: found.size, ctimeMs: found.ctimeMs, inode: found.ino })
  }
  return files.length === 0 ? undefined : files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Writes files and folders through to the disk. */
export async function syncTree(root: string): Promise<void> {
  for await (const { path, kind } of walk(root)) {
    if (kind === 'other') continue
    await using handle = await open(path, 'r')
    await handle.sync()
  }
}

/** Takes the right to write from files and folders, so that a mistake elsewhere cannot change a release. */
export async function makeReadOnly(root: string): Promise<void> {
  for await (const { path, kind } of walk(root))
    if (kind !== 'other') await chmod(path, kind === 'file' ? 0o444 : 0o555)
}

/** Gives the right back, so that the folders can be removed. */
export async function makeWritable(root: string): Promise<void> {
  for await (const { path, kind } of walk(root)) if (kind === 'folder') await chmod(path, 0o755)
}

/** Visits a folder and everything in it, each folder before what it holds; a folder that is not there holds nothing. */
async function* walk(root: string): AsyncGenerator<{ path: string; kind: 'file' | 'folder' | 'other' }> {
  const found = await lstat(root).catch(() => undefined)
  if (!found?.isDirectory()) return
  yield { path: root, kind: 'folder' }
  for (const entry of await readdir(root, { withFileTypes: true })) {
    const path = join(root, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else yield { path, kind: entry.isFile() ? 'file' : 'other' }
  }
}
