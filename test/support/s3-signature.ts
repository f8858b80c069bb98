import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as its signature sees it. */
export interface SignedRequest {
  readonly method: string
  /** Path and query as they came. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** The only credentials there are. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const most = 15 * 60_000

/** What is wrong with a request's AWS Signature Version 4, in the header or in the query, as the code S3 answers; undefined when nothing is. */
export function faultOfSignature(request: SignedRequest, credentials: Credentials): string | undefined {
  const [path = '', search = ''] = request.target.split('?')
  const query = search === '' ? [] : search.split('&').map((pair) => pair.split('=').map(decodeURIComponent))
  const isQuery = query.some(([name]) => name === 'X-Amz-Signature')
  const claims = isQuery ? claimsInQuery(query) : claimsInHeader(request.headers)
  if (!claims) return 'AccessDenied'
  const [keyId, day, region, service, end] = claims.credential.split('/')
  if (keyId !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const scope = [day, region, service, end].join('/')
  if (region !== credentials.region || service !== 's3' || end !== 'aws4_request') return 'AuthorizationHeaderMalformed'
  const at = Date.parse(claims.date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (isQuery ? Date.now() > at + claims.seconds * 1000 : Math.abs(Date.now() - at) > most) return 'AccessDenied'
  if (!claims.signed.includes('host')) return 'AccessDenied'
  const hash = isQuery ? 'UNSIGNED-PAYLOAD' : (request.headers['x-amz-content-sha256'] ?? '')
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(request.body)) return 'XAmzContentSHA256Mismatch'
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...claims.signed.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    claims.signed.join(';'),
    hash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', claims.date, scope, sha256(Buffer.from(canonical))].join('\n')
  let key: Buffer = Buffer.from(`AWS4${credentials.secretAccessKey}`)
  for (const part of [day, region, service, end]) key = hmac(key, part ?? '')
  const [wanted, given] = [hmac(key, text), Buffer.from(claims.signature, 'hex')]
  return wanted.length === given.length && timingSafeEqual(wanted, given) ? undefined : 'SignatureDoesNotMatch'
}

interface Claims {
  readonly credential: string
  readonly signed: readonly string[]
  readonly signature: string
  readonly date: string
  readonly seconds: number
}

function claimsInHeader(headers: SignedRequest['headers']): Claims | undefined {
  const found = /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
    headers['authorization'] ?? '',
  )
  if (!found) return undefined
  const [, credential = '', signed = '', signature = ''] = found
  return { credential, signed: signed.split(';'), signature, date: headers['x-amz-date'] ?? '', seconds: 0 }
}

function claimsInQuery(query: readonly string[][]): Claims | undefined {
  const get = (wanted: string): string => query.find(([name]) => name === wanted)?.[1] ?? ''
  if (get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: get('X-Amz-Credential'),
    signed: get('X-Amz-SignedHeaders').split(';'),
    signature: get('X-Amz-Signature'),
    date: get('X-Amz-Date'),
    seconds: Number(get('X-Amz-Expires')),
  }
}

function canonicalQuery(query: readonly string[][]): string {
  const pairs = query.filter(([name]) => name !== 'X-Amz-Signature')
  return pairs
    .map(([name = '', value = '']) => [encode(name), encode(value)] as const)
    .sort(([a, b], [c, d]) => (a < c || (a === c && b < d) ? -1 : 1))
    .map((pair) => pair.join('='))
    .join('&')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
