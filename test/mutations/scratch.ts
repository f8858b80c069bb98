import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A copy of the working tree that may be damaged; removed when it is disposed. */
export interface Scratch extends AsyncDisposable {
  readonly folder: string
}

/** Copies what git knows or would add, changes not yet committed too; packages are hard links, since nobody writes them. */
export async function createScratch(root: string): Promise<Scratch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-mutate-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const { stdout } = await run('git', ['ls-files', '-coz', '--exclude-standard', '--deduplicate'], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    })
    for (const file of stdout.split('\0').filter(Boolean)) {
      await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
      // A file may have been deleted and not yet committed.
      await cp(path.join(root, file), path.join(folder, file)).catch(ignoreMissing)
    }
    await linkPackages(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    return { folder, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  try {
    await run('cp', ['-al', from, to])
  } catch {
    // Another file system.
    await rm(to, { recursive: true, force: true })
    await run('cp', ['-a', from, to])
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
