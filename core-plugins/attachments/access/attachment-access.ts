import {
  TenantInactiveError,
  UnauthenticatedError,
  type Authenticator,
  type Principal,
  type RequestState,
  type TenantResolver,
} from '#kernel'
import type { Access } from '../../access/contract.ts'
import { AttachmentNotFoundError, AttachmentSignatureError } from '../errors.ts'
import type { Attachment } from '../models.ts'
import { demandReady } from './demand-ready.ts'
import type { KnownAttachments } from './known-attachments.ts'
import { isReadableBy } from './readable-by.ts'
import type { SignedOperation, Signer } from './signer.ts'

/** What decides on access stands on. */
export interface AccessParts {
  readonly access: Pick<Access, 'dataScope'>
  readonly authenticator: Authenticator
  readonly known: KnownAttachments
  readonly tenants: TenantResolver
  readonly signer: Signer
}

/** What a request to an open route brings: of a route with `auth: 'optional'` and `tenant: 'optional'`. */
export interface AccessRequest {
  readonly query: {
    readonly token?: string | undefined
    readonly exp?: unknown
    readonly sign?: unknown
  }
  readonly state: RequestState
}

/** An attachment that may be given to whoever asks. */
export interface AllowedAccess {
  readonly attachment: Attachment
  readonly by: 'public' | 'signed' | 'token'
  /** Of a signed link, in seconds of Unix time. */
  readonly expires?: number
  /** Of what is open to everybody: whether it still is, by what is in memory. */
  readonly stands?: () => boolean
}

/**
 * Finds an attachment for a request that may come from anybody. Throws 404/4045 for what is not there, not yet, or another tenant's;
 * 403/4035 where its tenant is not active; 401/4010 without any credential, 401 for a token that is none, 404/4045 for a token of
 * somebody who may not read it, 403/4032 for a signature that does not fit, 409/4094 while a virus scanner looks at it.
 */
export async function resolveAccess(
  parts: AccessParts,
  { query, state }: AccessRequest,
  id: string,
  op: SignedOperation,
  canonical: string,
): Promise<AllowedAccess> {
  const allowed = await allow(parts, { query, state }, await find(parts, id, state), op, canonical)
  // Of what is quarantined strangers learn nothing.
  if (allowed.by !== 'token' && allowed.attachment.status === 'quarantined') throw new AttachmentNotFoundError()
  demandReady(allowed.attachment)
  return allowed
}

async function allow(
  parts: AccessParts,
  { query: { token, exp, sign }, state }: AccessRequest,
  attachment: Attachment,
  op: SignedOperation,
  canonical: string,
): Promise<AllowedAccess> {
  if (attachment.visibility === 'public') {
    return { attachment, by: 'public', stands: standingOf(parts, attachment, state.tenant !== undefined) }
  }
  // Whoever has a link may be signed in as somebody else.
  const isLink = token === undefined && sign !== undefined
  const principal =
    token !== undefined ? await authenticate(parts, token, state.ip) : isLink ? undefined : state.principal
  if (principal) {
    if (!(await isReadableBy(parts.access, principal, attachment))) throw new AttachmentNotFoundError()
    return { attachment, by: 'token' }
  }
  if (exp === undefined && sign === undefined) throw new UnauthenticatedError()
  const expires = readExpiry(exp)
  if (typeof sign !== 'string' || !parts.signer.isValid(op, attachment, { exp: expires, sign, canonical })) {
    throw new AttachmentSignatureError()
  }
  return { attachment, by: 'signed', expires }
}

/**
 * Tells whether neither the record has changed nor its tenant; whoever is the host's tenant is looked after by the kernel. Made apart,
 * since it is kept for a while and must not keep the request.
 */
function standingOf({ known, tenants }: AccessParts, attachment: Attachment, isOfHost: boolean): () => boolean {
  const { tenantId } = attachment
  const isLookedAfter = isOfHost || tenantId === 0
  return () => known.has(attachment) && (isLookedAfter || tenants.knownById(tenantId)?.status === 'active')
}

/** The time in a link, in the one spelling that links of ours have; NaN for any other. */
function readExpiry(exp: unknown): number {
  return typeof exp === 'string' && /^[1-9]\d{0,14}$/.test(exp) ? Number(exp) : NaN
}

async function find({ known, tenants }: AccessParts, id: string, { tenant }: RequestState): Promise<Attachment> {
  const attachment = await known.find(id)
  if (!attachment) throw new AttachmentNotFoundError()
  const { tenantId } = attachment
  if (tenantId === 0) return attachment
  if (tenant && tenant.id !== tenantId) throw new AttachmentNotFoundError()
  const owner = tenant ?? (await tenants.byId(tenantId))
  if (!owner) throw new AttachmentNotFoundError()
  if (owner.status !== 'active') throw new TenantInactiveError({ details: { status: owner.status } })
  return attachment
}

async function authenticate({ authenticator }: AccessParts, token: string, ip: string): Promise<Principal> {
  const principal = await authenticator.authenticate({ token, ip })
  if (!principal) throw new UnauthenticatedError()
  return principal
}
