import { schemaParts } from '#sandbox'
import { valid } from 'semver'

const { matching, text, versionRange } = schemaParts
type Schema = schemaParts.Schema

const device = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/i
const pathForm = /^[A-Za-z0-9_@][A-Za-z0-9._@-]*(\/[A-Za-z0-9_@][A-Za-z0-9._@-]*)*$/
const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/

/** SHA-256 in hex. */
export const sha256Schema: Schema = matching(/^[0-9a-f]{64}$/, 64)
/** The id of a key. */
export const keyIdSchema: Schema = matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 64)
/** An Ed25519 public key: base64url of 32 bytes. */
export const publicKeySchema: Schema = matching(/^[A-Za-z0-9_-]{43}$/, 43)
/** An Ed25519 signature: base64 of 64 bytes. */
export const signatureSchema: Schema = matching(/^[A-Za-z0-9+/]{86}==$/, 88)
/** A moment, ISO 8601 in UTC. */
export const timeSchema: Schema = matching(time, 24)
/** A version as a file may name it; `isVersion` says whether it is one. */
export const versionSchema: Schema = text(64)
/** A range of versions. */
export const rangeSchema: Schema = versionRange
/** A publisher: the first label of its plugins' names. */
export const publisherSchema: Schema = matching(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 62)
/** A plugin's name. */
export const pluginNameSchema: Schema = matching(/^[a-z][a-z0-9]*(-[a-z0-9]+)*\.[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 64)
/** A capability's name; an index may list one that this host does not know yet. */
export const capabilitySchema: Schema = matching(/^[a-z][a-z0-9_]*(:[a-z0-9_]+)?$/, 40)
/** A path below a folder of an index; `isSafePath` says whether it stays there on every system. */
export const pathSchema: Schema = matching(pathForm, 200)

/** Whether a path stays below its folder, and means the same file on every system. */
export function isSafePath(path: string): boolean {
  if (path.length > 200 || !pathForm.test(path)) return false
  const segments = path.split('/')
  return (
    segments.length <= 10 && segments.every((each) => !each.endsWith('.') && !device.test(each.split('.')[0] ?? ''))
  )
}

/** Whether a text is a strict semantic version without build metadata. */
export function isVersion(text: string): boolean {
  return valid(text) === text && !text.includes('+')
}

/** Whether a text of the right form is a moment that exists. */
export function isMoment(text: string): boolean {
  return time.test(text) && Number.isFinite(Date.parse(text))
}

/** The value that an object itself has under a key that somebody else chose. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}
