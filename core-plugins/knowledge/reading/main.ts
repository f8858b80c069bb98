import { writeSync } from 'node:fs'
import { chunkBlocks } from './chunk-blocks.ts'
import { readBlocks } from './read-blocks.ts'
import { ReadingFaultError } from './reading-fault.ts'
import type { ReadingLine, ReadingTask } from './wire.ts'

/** What the host left open to be told; what parsers print goes elsewhere. */
const descriptor = 3

const task = JSON.parse(process.argv[2] ?? '') as ReadingTask
const pieces: Buffer[] = []
for await (const piece of process.stdin) pieces.push(piece as Buffer)

try {
  const { title, blocks } = await readBlocks(Buffer.concat(pieces), task)
  // Found by the name that it was given, and by the one that it gives itself.
  const titles = [...new Set([task.title, title ?? task.title])].join('\n')
  if (task.whole) for (const block of blocks) say({ chunk: { ...block, termCount: 0, terms: [] } })
  else for (const chunk of chunkBlocks(blocks, titles)) say({ chunk })
  say({ done: { title } })
} catch (error) {
  if (!(error instanceof ReadingFaultError)) throw error
  say({ fault: error.fault, message: error.message })
}

function say(line: ReadingLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}
