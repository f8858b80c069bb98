import { spawn, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

import type { Jail } from './jail.ts'
import type { Program } from './program.ts'

const maxOutput = 8 * 1024
const channelDescriptor = 3

/** What starts sandbox hosts; the same for all of a pool. */
export interface LaneProgram {
  readonly program: Program
  readonly jail: Jail
  readonly memoryMb: number
}

/** A sandbox host's process, its socket, and the end of what it wrote to its terminal. */
export interface LaneProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly socket: Socket
  output(): string
}

/** Starts the process, which waits on its socket until it is told what to be. */
export function startLaneProcess({ program, jail }: LaneProgram, isTrusted: boolean): LaneProcess {
  const [command = process.execPath, ...parameters] = [
    ...jail.prefix,
    process.execPath,
    '--no-node-snapshot',
    // The JIT is a surface for attacks; with it, on-stack replacement would lose the check for termination in some loops.
    isTrusted ? '--no-use-osr' : '--jitless',
    '--permission',
    '--allow-addons',
    // What it holds, by the measure of the cap on it.
    '--allow-fs-read=/proc/self/statm',
    ...program.readable.map((file) => `--allow-fs-read=${file}`),
    '--max-old-space-size=96',
    '--no-warnings',
    '--input-type=module',
    '-',
  ]
  const child = spawn(command, parameters, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
  const pid = child.pid ?? 0
  let output = ''
  const capture = (stream: Readable | null): void => {
    stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-maxOutput)))
  }
  capture(child.stdout)
  capture(child.stderr)
  child.on('error', (error) => (output += error.message))
  // A process that dies while it is told what to run has said why on its error output.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(program.main)
  return { child, pid, socket: child.stdio[channelDescriptor] as Socket, output: () => output }
}
