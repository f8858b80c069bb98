import { readSync } from 'node:fs'
import { Socket } from 'node:net'
import sharp from 'sharp'
import { byteFrames, frame, FrameReader } from './frames.ts'
import type { GivenJob, Outcome, TransformJob } from './job.ts'
import { InputFaultError, transform } from './transform.ts'

sharp.concurrency(1)
sharp.cache(false)
// Readers for the kinds that are served, and for nothing else in this process: no SVG, no PDF, no raw pixels.
sharp.block({ operation: ['VipsForeignLoad'] })
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)
sharp.unblock({ operation: readers })

/** What the host left open for it: the socket between them, and the file through which sources come. */
const [socketDescriptor, sourceDescriptor] = [3, 4]

const channel = new Socket({ fd: socketDescriptor, readable: true, writable: true })

const reader = new FrameReader((kind, content) => {
  if (kind === 'job') void answer(JSON.parse(content.toString()) as GivenJob)
})

async function answer({ bytes, ...job }: GivenJob): Promise<void> {
  channel.write(frame('outcome', await run(readSource(bytes), job)))
}

function readSource(length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  for (let at = 0; at < length;) {
    const read = readSync(sourceDescriptor, bytes, at, length - at, at)
    if (read === 0) throw new Error('the source is shorter than it was said to be')
    at += read
  }
  return bytes
}

async function run(bytes: Buffer, given: TransformJob): Promise<Outcome> {
  try {
    for (const piece of byteFrames(await transform(bytes, given))) channel.write(piece)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof InputFaultError)) throw error
    return { ok: false, fault: error.fault, message: error.message.slice(0, 300) }
  }
}

channel.on('data', (chunk) => reader.push(chunk))
channel.on('error', () => process.exit(0))
// The host is gone, or wants nothing any more.
channel.on('close', () => process.exit(0))
channel.write(frame('ready'))
