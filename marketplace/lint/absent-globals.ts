import { packageOf } from '../pack/package-of.ts'

const requests = 'use fetch or ctx.http.fetch'
const pages = 'there is no page: take a module, or a part of this one, that works on texts'
const stored = 'keep it with ctx.cache, ctx.storage or a table'
const whole = 'there are no streams and blobs: work on whole texts and Uint8Array'
const bytes = 'bytes are Uint8Array; the package "buffer" has a Buffer: import { Buffer } from \'buffer/\''
const threads = 'a plugin has one thread: give long work to ctx.jobs'
const soon = 'the sandbox has setTimeout and queueMicrotask'
const told = 'take the part of the module that is for browsers, or tell it by its options what it looks for'

/** What modules of npm look for beside the language, that no plugin has, with what to do instead. */
const mends: Readonly<Record<string, string>> = {
  ...{ Buffer: bytes, process: told, __dirname: told, __filename: told, navigator: told, location: told },
  ...{ setImmediate: soon, clearImmediate: soon, requestAnimationFrame: soon, cancelAnimationFrame: soon },
  ...{ requestIdleCallback: soon, XMLHttpRequest: requests, WebSocket: requests, EventSource: requests },
  ...{ document: pages, window: pages, DOMParser: pages, XMLSerializer: pages, HTMLElement: pages, Element: pages },
  ...{ Image: pages, MutationObserver: pages, getComputedStyle: pages, matchMedia: pages, alert: pages },
  ...{ localStorage: stored, sessionStorage: stored, indexedDB: stored, Blob: whole, File: whole, FileReader: whole },
  ...{ FormData: whole, ReadableStream: whole, WritableStream: whole, TransformStream: whole },
  ...{ CompressionStream: 'bundle the package "pako" or "fflate"', TextDecoderStream: whole, TextEncoderStream: whole },
  ...{ DecompressionStream: 'bundle the package "pako" or "fflate"', Worker: threads, SharedWorker: threads },
  ...{ MessageChannel: threads, MessagePort: threads, BroadcastChannel: threads, importScripts: threads },
  ...{ SharedArrayBuffer: threads, Atomics: threads },
  WebAssembly: 'take a module that is JavaScript alone',
  WeakRef: 'keep what is needed in a Map of a fixed size',
  FinalizationRegistry: 'nothing is told of what was collected: dispose of things yourself',
}

/** What modules of npm look for and no plugin has. */
export const absentGlobals: readonly string[] = Object.keys(mends)

/** Says of one of them which package uses it and what to do; nothing of any other name. `file` is a path, through node_modules for a package. */
export function describeAbsence(name: string, file: string): string | undefined {
  if (!Object.hasOwn(mends, name)) return undefined
  const package_ = packageOf(file)
  const who = package_ === undefined ? 'Your source' : `The package "${package_}"`
  return `${who} uses ${name}, which the sandbox does not have: ${mends[name] ?? ''}.`
}
