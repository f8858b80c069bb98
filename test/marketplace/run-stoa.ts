import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { runCommandLine, type Outcome } from '../../marketplace/cli.ts'

/** The program `stoa`. */
export const program = join(import.meta.dirname, '../../marketplace/bin/stoa.js')

/** Runs `stoa` in a folder as an author does, in a process of its own. */
export function stoaProcess(cwd: string, ...args: string[]): Promise<Omit<Outcome, 'exitCode'> & { exitCode: number }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { cwd }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

/** Runs `stoa` in a folder within this process, one run after the other: a process of its own costs a second each. */
export async function stoa(cwd: string, ...args: string[]): Promise<Outcome> {
  const back = process.cwd()
  process.chdir(cwd)
  try {
    return await runCommandLine(args)
  } finally {
    process.chdir(back)
  }
}
