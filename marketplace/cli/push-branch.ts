import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { IndexRefusal } from '../keeper/index-refusal.ts'

/** What a branch is about. */
interface Release {
  readonly name: string
  readonly version: string
}

const run = promisify(execFile)

/** The branch on which a release is proposed. */
export function branchOf({ name, version }: Release): string {
  return `${name}-${version}`
}

/** Commits what publishing wrote into the clone of an index, on a branch of its own, and pushes it to origin. Throws an IndexRefusal. */
export async function pushBranch(index: string, release: Release): Promise<void> {
  const branch = branchOf(release)
  await git(index, 'switch', '-c', branch)
  await git(index, 'add', '--', 'p')
  await git(index, 'commit', '-m', `${release.name} ${release.version}`)
  await git(index, 'push', '-u', 'origin', branch)
}

async function git(index: string, ...args: readonly string[]): Promise<void> {
  try {
    // It may ask nobody for a password: nobody sees the question.
    await run('git', ['-C', index, ...args], { env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } })
  } catch (error) {
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string }
    if (code === 'ENOENT') throw new IndexRefusal('--push needs git, which is not on the PATH.')
    throw new IndexRefusal(`git ${args.join(' ')} failed; the release is written.\n${stderr.trim()}`)
  }
}
