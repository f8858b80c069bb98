import { createHmac, timingSafeEqual } from 'node:crypto'
import { SignatureInvalidError } from './errors.ts'

const idBytes = 16
const expiryBytes = 6
const payloadBytes = idBytes + expiryBytes
const macBytes = 16

/** A token that names an object until a moment, for whoever has it. */
export function signToken(key: Buffer, id: string, expires: number): string {
  const payload = Buffer.alloc(payloadBytes)
  payload.write(id.replaceAll('-', ''), 'hex')
  payload.writeUIntBE(Math.ceil(expires / 1000), idBytes, expiryBytes)
  return Buffer.concat([payload, macOf(key, payload)]).toString('base64url')
}

/** The id of the object a token names; throws 403/4032 when the token is changed or too old. */
export function openToken(key: Buffer, token: string, now = Date.now()): string {
  const bytes = Buffer.from(token, 'base64url')
  const payload = bytes.subarray(0, payloadBytes)
  const isWhole = bytes.length === payloadBytes + macBytes && bytes.toString('base64url') === token
  if (!isWhole || !timingSafeEqual(bytes.subarray(payloadBytes), macOf(key, payload))) throw new SignatureInvalidError()
  if (payload.readUIntBE(idBytes, expiryBytes) * 1000 < now) throw new SignatureInvalidError()
  const hex = payload.toString('hex', 0, idBytes)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function macOf(key: Buffer, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest().subarray(0, macBytes)
}
