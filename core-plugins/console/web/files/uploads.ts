import { computed, markRaw, reactive, watch } from 'vue'
import { session } from '../session/session.ts'
import type { UploadStep } from './send-chunks.ts'
import { endUpload, uploadFile, type UploadMemory } from './upload-file.ts'

/** A file that is on its way, or has arrived. */
export interface Upload {
  readonly key: string
  readonly name: string
  readonly size: number
  state: 'waiting' | UploadStep['stage'] | 'paused' | 'failed' | 'done'
  /** Bytes that were read, or have come. */
  done: number
  /** What had come before this page was there. */
  before: number | undefined
  bytesPerSecond: number | undefined
  isInstant: boolean
  fault: unknown
}

interface Running {
  readonly file: File
  readonly memory: UploadMemory
  readonly samples: { readonly at: number; readonly done: number }[]
  controller: AbortController
}

/** Speed is that of the last of these. */
const samplesMs = 5_000
const running = new Map<string, Running>()

/** Those of this tab, the first chosen first; they go on while other pages are shown. */
export const uploads = reactive<Upload[]>([])
/** How many have arrived. */
export const arrived = computed(() => uploads.filter(({ state }) => state === 'done').length)

/** Sends files, one after the other. */
export function addUploads(files: Iterable<File>): void {
  for (const file of files) {
    const key = crypto.randomUUID()
    const { name, size } = file
    const nothing = { done: 0, before: undefined, bytesPerSecond: undefined, isInstant: false, fault: undefined }
    running.set(key, markRaw({ file, memory: {}, samples: [], controller: new AbortController() }))
    uploads.push({ key, name, size, state: 'waiting', ...nothing })
  }
  startNext()
}

/** Stops sending; what has come stays there. */
export function pauseUpload(upload: Upload): void {
  upload.state = 'paused'
  running.get(upload.key)?.controller.abort()
}

/** Goes on, or tries again, with what has not come. */
export function resumeUpload(upload: Upload): void {
  upload.state = 'waiting'
  upload.fault = undefined
  startNext()
}

/** Gives an upload up, with what has come of it, or takes one that has ended off the list. */
export function dropUpload(upload: Upload): void {
  const { key, state } = upload
  const found = running.get(key)
  running.delete(key)
  uploads.splice(
    uploads.findIndex((each) => each.key === key),
    1,
  )
  found?.controller.abort()
  if (found && state !== 'done') void endUpload(found.memory)
  startNext()
}

function startNext(): void {
  if (uploads.some(({ state }) => state === 'reading' || state === 'sending' || state === 'offline')) return
  const next = uploads.find(({ state }) => state === 'waiting')
  if (next) void run(next)
}

async function run(upload: Upload): Promise<void> {
  const found = running.get(upload.key)
  if (!found) return
  found.controller = new AbortController()
  found.samples.length = 0
  const { file, memory, controller } = found
  const { signal } = controller
  upload.state = 'reading'
  const tell = (step: UploadStep) => {
    if (!signal.aborted) show(upload, found, step)
  }
  try {
    const { isInstant } = await uploadFile(file, { signal, memory, tell })
    Object.assign(upload, { state: 'done', isInstant, done: upload.size })
    running.delete(upload.key)
  } catch (problem) {
    // Whoever aborted has said what it is now.
    if (!signal.aborted) Object.assign(upload, { state: 'failed', fault: problem })
  }
  startNext()
}

function show(upload: Upload, { samples }: Running, { stage, done }: UploadStep): void {
  const at = performance.now()
  if (stage === 'sending') {
    upload.before ??= done
    if (upload.state !== 'sending') samples.length = 0
    samples.push({ at, done })
    while (samples[0] && samples[0].at < at - samplesMs) samples.shift()
    const [first] = samples
    const seconds = first ? (at - first.at) / 1000 : 0
    if (first && seconds > 0.5) upload.bytesPerSecond = Math.max(0, done - first.done) / seconds
  }
  if (stage !== 'offline') upload.done = done
  upload.state = stage
}

// They are of whoever signed in, and of nobody after.
watch(
  () => session.state.me?.user.id,
  () => {
    for (const { controller } of running.values()) controller.abort()
    running.clear()
    uploads.length = 0
  },
)
