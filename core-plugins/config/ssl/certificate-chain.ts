import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import type { ConfigObjection } from '../contract.ts'
import { sslObjection } from './ssl-rules.ts'

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const leastRsaBits = 2048
const curves: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1'])

/** The certificates of a PEM text in their order, or undefined when it is not made of certificates. */
export function readChain(pem: string): readonly X509Certificate[] | undefined {
  try {
    const chain = (pem.match(block) ?? []).map((text) => new X509Certificate(text))
    return chain.length > 0 && pem.replace(block, '').trim() === '' ? chain : undefined
  } catch {
    return undefined
  }
}

/** What speaks against a chain and its key at a moment, whichever domains it is for. */
export function checkChain(pem: string, privateKey: string, now: Date): readonly ConfigObjection[] {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) return [sslObjection('holds_private_key')]
  const chain = readChain(pem)
  if (!chain) return [sslObjection('not_pem')]
  return [...checkOrder(chain), ...checkTime(chain, now), ...checkKey(chain[0]!, privateKey)]
}

/** Whether a certificate is good for a domain; `*.` domains must be named as they are. */
export function coversDomain(leaf: X509Certificate, domain: string): boolean {
  if (domain.startsWith('*.')) return alternativeNames(leaf).includes(domain.toLowerCase())
  if (isIP(domain) !== 0) return leaf.checkIP(domain) !== undefined
  return leaf.checkHost(domain, { subject: 'never', partialWildcards: false }) !== undefined
}

/** The names a certificate is for, in lower case. */
export function alternativeNames(leaf: X509Certificate): readonly string[] {
  const entries = (leaf.subjectAltName ?? '').split(', ')
  return entries.flatMap((entry) => /^(?:DNS|IP Address):(.+)$/.exec(entry)?.[1]?.toLowerCase() ?? [])
}

function checkOrder(chain: readonly X509Certificate[]): readonly ConfigObjection[] {
  if (chain.length > 1 && chain[0]!.ca) return [sslObjection('leaf_not_first')]
  const broken = chain.findIndex((certificate, index) => {
    const issuer = chain[index + 1]
    return issuer && !(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
  })
  return broken === -1 ? [] : [sslObjection('chain_broken', { position: broken + 1 })]
}

function checkTime(chain: readonly X509Certificate[], now: Date): readonly ConfigObjection[] {
  const early = chain.find(({ validFromDate }) => validFromDate > now)
  if (early) return [sslObjection('not_valid_yet', { date: early.validFromDate.toISOString() })]
  const late = chain.find(({ validToDate }) => validToDate <= now)
  return late ? [sslObjection('expired', { date: late.validToDate.toISOString() })] : []
}

function checkKey(leaf: X509Certificate, privateKey: string): readonly ConfigObjection[] {
  const weak = isStrong(leaf.publicKey) ? [] : [sslObjection('weak_key')]
  if (privateKey === '') return weak
  const key = readKey(privateKey)
  if (!key) return [...weak, sslObjection('not_a_key')]
  return leaf.checkPrivateKey(key) ? weak : [...weak, sslObjection('key_mismatch')]
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem)
  } catch {
    return undefined
  }
}

function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'rsa') return (details.modulusLength ?? 0) >= leastRsaBits
  return type === 'ed25519' || (type === 'ec' && curves.has(details.namedCurve))
}
