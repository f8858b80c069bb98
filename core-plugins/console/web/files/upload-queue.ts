import { computed, markRaw, reactive, watch, type ComputedRef } from 'vue'
import { session } from '../session/session.ts'
import type { UploadStep } from './send-chunks.ts'
import { endUpload, uploadFile, type UploadMemory, type UploadWish } from './upload-file.ts'

/** A file that is on its way, or has arrived. */
export interface Upload {
  readonly key: string
  readonly name: string
  readonly size: number
  /** Where the browser has it as a picture, before the server has. */
  readonly preview: string | undefined
  state: 'waiting' | UploadStep['stage'] | 'paused' | 'failed' | 'done'
  /** Bytes that were read, or have come. */
  done: number
  /** What had come before this page was there. */
  before: number | undefined
  bytesPerSecond: number | undefined
  isInstant: boolean
  fault: unknown
  /** The attachment that it became. */
  id: string | undefined
}

interface Running {
  readonly file: File
  readonly memory: UploadMemory
  readonly samples: { readonly at: number; readonly done: number }[]
  controller: AbortController
}

interface QueueParts extends UploadWish {
  /** What becomes of a file that has come; what it throws is told as the fault of the upload, and trying again begins here. */
  readonly onArrived?: (upload: Upload) => Promise<void>
}

/** Files that are sent one after the other; each can be paused, gone on with, tried again and given up. */
export interface UploadQueue {
  /** The first chosen first. */
  readonly uploads: Upload[]
  /** How many have arrived. */
  readonly arrived: ComputedRef<number>
  /** Whether any is still to come. */
  readonly isSending: ComputedRef<boolean>
  /** Whether any will not come unless somebody goes on with it. */
  readonly isHeldUp: ComputedRef<boolean>
  add(files: Iterable<File>): void
  /** Stops sending; what has come stays there. */
  pause(upload: Upload): void
  /** Goes on, or tries again, with what has not come. */
  resume(upload: Upload): void
  /** Gives an upload up, with what has come of it, or takes one that has ended off the list. */
  drop(upload: Upload): void
  /** The same for all of them. */
  clear(): void
}

/** Speed is that of the last of these. */
const samplesMs = 5_000
const shownAtOnce = /^image\/(png|jpeg|gif|webp|svg\+xml|x-icon)$/

/** Makes a queue, of whoever is signed in, and of nobody after; whose component goes clears it first. */
export function createUploadQueue({ onArrived, ...wish }: QueueParts): UploadQueue {
  const running = new Map<string, Running>()
  const uploads = reactive<Upload[]>([])
  const startNext = () => {
    if (uploads.some(isGoing)) return
    const next = uploads.find(({ state }) => state === 'waiting')
    if (next) void run(next)
  }

  function add(files: Iterable<File>): void {
    for (const file of files) {
      const key = crypto.randomUUID()
      const { name, size, type } = file
      const preview = shownAtOnce.test(type) ? URL.createObjectURL(file) : undefined
      const nothing = { done: 0, before: undefined, bytesPerSecond: undefined, fault: undefined, id: undefined }
      running.set(key, markRaw({ file, memory: {}, samples: [], controller: new AbortController() }))
      uploads.push({ key, name, size, preview, state: 'waiting', isInstant: false, ...nothing })
    }
    startNext()
  }
  function pause(upload: Upload): void {
    upload.state = 'paused'
    running.get(upload.key)?.controller.abort()
    startNext()
  }
  function resume(upload: Upload): void {
    upload.state = 'waiting'
    upload.fault = undefined
    startNext()
  }
  function drop({ key }: Upload): void {
    const at = uploads.findIndex((each) => each.key === key)
    const [upload] = at < 0 ? [] : uploads.splice(at, 1)
    const found = running.get(key)
    running.delete(key)
    found?.controller.abort()
    if (upload?.preview !== undefined) URL.revokeObjectURL(upload.preview)
    if (found && upload?.state !== 'done') void endUpload(found.memory)
    startNext()
  }
  function clear(): void {
    for (const upload of [...uploads]) drop(upload)
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
      if (upload.id === undefined) {
        const { id, isInstant } = await uploadFile(file, { ...wish, signal, memory, tell })
        Object.assign(upload, { id, isInstant, done: upload.size })
      }
      signal.throwIfAborted()
      await onArrived?.(upload)
      upload.state = 'done'
      running.delete(upload.key)
    } catch (problem) {
      // Whoever aborted has said what it is now.
      if (!signal.aborted) Object.assign(upload, { state: 'failed', fault: problem })
    }
    startNext()
  }

  watch(
    () => session.state.me?.user.id,
    () => {
      for (const { controller } of running.values()) controller.abort()
      running.clear()
      uploads.length = 0
    },
  )
  const arrived = computed(() => uploads.filter(({ state }) => state === 'done').length)
  const isSending = computed(() => uploads.some(({ state }) => state !== 'done' && state !== 'failed'))
  const isHeldUp = computed(() => uploads.some(({ state }) => state === 'failed' || state === 'paused'))
  return { uploads, arrived, isSending, isHeldUp, add, pause, resume, drop, clear }
}

/** Whether an upload is at work. */
function isGoing({ state }: Upload): boolean {
  return state === 'reading' || state === 'sending' || state === 'offline'
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
