import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DocumentLockedError,
  DocumentTooCostlyError,
  DocumentTooLargeError,
  DocumentUnreadableError,
} from '../errors.ts'
import { readerCommand } from './reader-command.ts'
import type { ReadChunk, ReadingLine, ReadingTask } from './wire.ts'

const program = path.join(import.meta.dirname, 'main.ts')
const timeMs = 120_000
/** Of the whole process. */
const memoryBytes = 512 * 1024 * 1024
const memoryPeriodMs = 25
const pageBytes = 4096
const mostSaid = 2048
/** More than the chunks of any document that is not refused. */
const mostTold = 256 * 1024 * 1024
const faults = {
  unreadable: DocumentUnreadableError,
  locked: DocumentLockedError,
  too_large: DocumentTooLargeError,
} as const

/**
 * Reads a document in a process of its own, which a hostile one can break and nothing else, and hands on its chunks. Answers the title that
 * the document gives itself. Throws 400/4008 for what cannot be read, and 413/4130 for what is too much.
 */
export async function readDocument(
  content: AsyncIterable<Buffer>,
  task: ReadingTask,
  signal: AbortSignal,
  onChunk: (chunk: ReadChunk) => void | Promise<void>,
): Promise<string | null> {
  const command = await readerCommand([program, JSON.stringify(task)])
  const child = spawn(command.program, command.args, {
    ...{ cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'pipe', 'pipe'], killSignal: 'SIGKILL' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeMs)]),
  })
  const ended = new Promise<void>((resolve) => {
    child.on('close', () => resolve())
    child.on('error', () => resolve())
  })
  let isTooCostly = false
  const watch = setInterval(() => {
    if (residentBytes(child) <= memoryBytes) return
    isTooCostly = true
    child.kill('SIGKILL')
  }, memoryPeriodMs)
  let said = ''
  child.stderr?.on('data', (text: Buffer) => (said = (said + text.toString()).slice(-mostSaid)))
  try {
    // A process that ends before it has read everything says why in another way.
    const fed = child.stdin ? pipeline(Readable.from(content), child.stdin).catch((error: unknown) => error) : undefined
    const told = child.stdio[3] as Readable
    let bytes = 0
    told.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= mostTold) return
      isTooCostly = true
      told.destroy()
    })
    const last = await lastLine(told, onChunk)
    if (isTooCostly) child.kill('SIGKILL')
    await ended
    signal.throwIfAborted()
    if (last && 'done' in last) return last.done.title
    if (last && 'fault' in last) throw new faults[last.fault]({ cause: last.message })
    const fault = await fed
    if (fault instanceof Error && !('code' in fault && fault.code === 'EPIPE') && child.exitCode === 0) throw fault
    const isKilled = isTooCostly || child.signalCode !== null || /heap out of memory|allocation failed/i.test(said)
    throw isKilled ? new DocumentTooCostlyError({ cause: said }) : new DocumentUnreadableError({ cause: said })
  } finally {
    clearInterval(watch)
    child.kill('SIGKILL')
  }
}

async function lastLine(
  told: Readable,
  onChunk: (chunk: ReadChunk) => void | Promise<void>,
): Promise<ReadingLine | undefined> {
  for await (const text of createInterface({ input: told })) {
    const line = JSON.parse(text) as ReadingLine
    if (!('chunk' in line)) return line
    await onChunk(line.chunk)
  }
  return undefined
}

function residentBytes({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${String(pid)}/statm`, 'utf8').split(' ')[1]) * pageBytes
  } catch {
    return 0
  }
}
