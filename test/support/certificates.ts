import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** Kinds of keys that certificates are made with. */
export type KeyKind = 'ed25519' | 'p256' | 'secp256k1' | 'rsa1024' | 'rsa2048'

/** A certificate with its key. */
export interface TestCertificate {
  readonly name: string
  readonly privateKey: KeyObject
  /** PEM. */
  readonly certificate: string
  /** PEM, PKCS #8. */
  readonly key: string
}

/** What a certificate shall say. */
export interface CertificateRequest {
  readonly name: string
  readonly domains?: readonly string[]
  /** Signs it; itself unless said otherwise. */
  readonly issuer?: TestCertificate
  readonly isAuthority?: boolean
  readonly kind?: KeyKind
  /** Days from now. */
  readonly from?: number
  readonly to?: number
}

const day = 86_400_000
const oids = {
  ed25519: '2b6570',
  ecdsaSha256: '2a8648ce3d040302',
  rsaSha256: '2a864886f70d01010b',
  commonName: '550403',
  basicConstraints: '551d13',
  subjectAltName: '551d11',
} as const

/** Makes an X.509 certificate of version 3 (RFC 5280), which Node can read but not write. */
export function makeCertificate(request: CertificateRequest): TestCertificate {
  const { name, domains = [], issuer, isAuthority = false, kind = 'ed25519', from = -1, to = 90 } = request
  const { privateKey, publicKey } = makeKeys(kind)
  const signer = issuer?.privateKey ?? privateKey
  const algorithm = algorithmOf(signer)
  const extensions = [
    extension(oids.basicConstraints, sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(domains.length > 0 ? [extension(oids.subjectAltName, sequence(...domains.map(dnsName)))] : []),
  ]
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const hash = signer.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const whole = sequence(signed, algorithm, bitString(sign(hash, signed, signer)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  const certificate = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { name, privateKey, certificate, key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

function makeKeys(kind: KeyKind): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519')
  if (kind === 'p256') return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  if (kind === 'secp256k1') return generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  return generateKeyPairSync('rsa', { modulusLength: kind === 'rsa1024' ? 1024 : 2048 })
}

function algorithmOf({ asymmetricKeyType: type }: KeyObject): Buffer {
  if (type === 'ed25519') return sequence(oid(oids.ed25519))
  if (type === 'ec') return sequence(oid(oids.ecdsaSha256))
  return sequence(oid(oids.rsaSha256), der(0x05, Buffer.alloc(0)))
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), der(0x04, value))
}

function dnsName(domain: string): Buffer {
  return der(0x82, Buffer.from(domain))
}

function nameOf(name: string): Buffer {
  return sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(name)))))
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * day).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${text}Z`))
}

function bitString(content: Buffer): Buffer {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

/** One value in the distinguished encoding rules: tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
