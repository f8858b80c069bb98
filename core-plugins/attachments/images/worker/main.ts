import { Socket } from 'node:net'
import sharp from 'sharp'
import { byteFrames, frame, FrameReader } from './frames.ts'
import type { Outcome, TransformJob } from './job.ts'
import { InputFaultError, transform } from './transform.ts'

sharp.concurrency(1)
sharp.cache(false)
// Readers for the kinds that are served, and for nothing else in this process: no SVG, no PDF, no raw pixels.
sharp.block({ operation: ['VipsForeignLoad'] })
const readers = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)
sharp.unblock({ operation: readers })

/** The socket that the host left open for it. */
const descriptor = 3

const channel = new Socket({ fd: descriptor, readable: true, writable: true })
let job: TransformJob | undefined
let pieces: Buffer[] = []

const reader = new FrameReader((kind, content) => {
  if (kind === 'job') job = JSON.parse(content.toString()) as TransformJob
  else if (kind === 'bytes') pieces.push(content)
  else if (kind === 'end' && job !== undefined) void answer(job)
})

async function answer(given: TransformJob): Promise<void> {
  const bytes = Buffer.concat(pieces)
  pieces = []
  job = undefined
  const outcome = await run(bytes, given)
  channel.write(frame('outcome', outcome))
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
