import { isBuiltin } from 'node:module'
import { packageOf } from './package-of.ts'

/** What to do instead, for what of Node modules ask for most. */
const mends: Readonly<Record<string, string>> = {
  crypto: 'the sandbox has crypto.subtle, crypto.getRandomValues and ctx.crypto',
  buffer: 'bytes are Uint8Array, texts TextEncoder and TextDecoder; npm install buffer',
  url: 'the sandbox has URL and URLSearchParams',
  util: 'the sandbox has TextEncoder, TextDecoder and structuredClone',
  events: 'npm install events, or take EventTarget or the package "eventemitter3"',
  http: 'use fetch or ctx.http.fetch',
  https: 'use fetch or ctx.http.fetch',
  net: 'use fetch or ctx.http.fetch',
  tls: 'use fetch or ctx.http.fetch',
  fs: 'keep files with ctx.storage or ctx.attachments',
  path: 'npm install path@npm:path-browserify',
  string_decoder: 'the sandbox has TextDecoder; npm install string_decoder buffer',
  stream: 'there are no streams: work on whole texts or in pieces of your own',
  zlib: 'bundle the package "pako" or "fflate"',
  timers: 'the sandbox has setTimeout and setInterval; npm install timers@npm:timers-browserify',
  querystring: 'the sandbox has URLSearchParams',
  assert: 'throw an Error',
  child_process: 'no plugin starts programs',
}
/** Packages that many reach for first, and what does the same here. */
const others: Readonly<Record<string, string>> = {
  axios: 'fetch or ctx.http.fetch',
  'node-fetch': 'fetch or ctx.http.fetch',
  got: 'fetch or ctx.http.fetch',
  jsonwebtoken: 'jose, or crypto.subtle',
  papaparse: 'csv-parse/browser/esm/sync',
  bcrypt: 'bcryptjs',
  moment: 'dayjs, which the platform provides',
  stripe: 'fetch to api.stripe.com, with the version that your account has',
  nodemailer: 'ctx.notify',
  ws: 'ctx.events.publish, which reaches your pages',
}

/** Whether something else does what a package does, which the author should hear of before anything that the package brought along. */
export function hasSubstitute(importer: string | undefined): boolean {
  return Object.hasOwn(others, packageOf(importer) ?? '')
}

/** Says of a module that could not be found who wanted it, what it is and what to do; nothing of any other failure. */
export function explainUnresolved(text: string, importer: string | undefined): string | undefined {
  const [, wanted] = /^Could not resolve "([^"]+)"/.exec(text) ?? []
  if (wanted === undefined) return undefined
  const package_ = packageOf(importer)
  const who = package_ === undefined ? 'Your source' : `The package "${package_}"`
  const instead =
    package_ !== undefined && Object.hasOwn(others, package_) ? ` Use ${others[package_] ?? ''} instead.` : ''
  if (!isBuiltin(wanted)) {
    if (wanted.startsWith('.') || wanted.startsWith('/')) return undefined
    return `${who} imports "${wanted}", which is not installed: npm install ${packageOf(`node_modules/${wanted}`) ?? wanted}.`
  }
  const name = wanted.replace(/^node:/, '').split('/')[0] ?? wanted
  const mend = Object.hasOwn(mends, name) ? `: ${mends[name] ?? ''}` : ''
  return `${who} needs "${wanted}" of Node, which the sandbox does not have${mend}.${instead}`
}
