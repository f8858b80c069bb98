import { deepEqual, equal, throws } from 'node:assert/strict'
import {
  createRoot,
  createSigningKey,
  parseIndexSignature,
  parseRootFile,
  rootFingerprint,
  rotateRoot,
  signIndex,
  verifyIndex,
  verifyRoot,
  type SignedRoot,
} from '#marketplace'
import { created, json } from './index-content.ts'

const [one, two, three, four] = ['k1', 'k2', 'k3', 'k4'].map(createSigningKey) as [Key, Key, Key, Key]
type Key = ReturnType<typeof createSigningKey>
const index = json({ any: 'bytes' })
const rule = (rule: string) => (error: { readonly details?: { readonly rule?: string } }) => {
  equal(error.details?.rule, rule)
  return true
}

describe('the root of an index', () => {
  const first = createRoot({ created: created, keys: [one, two, three], threshold: 2 }, [one, two])
  const pinned = rootFingerprint(first.root)
  const second = rotateRoot(first, { created: created, keys: [two, four], threshold: 2 }, [one, two, four])

  const verify = (keys: readonly Key[], root: SignedRoot = first) =>
    verifyIndex(index, parseIndexSignature(signIndex(index, keys)), parseRootFile(root.root))

  it('asks for as many different keys as it says', () => {
    verify([one, two])
    verify([three, one, four])
    throws(() => verify([one]), rule('signature'))
    throws(() => verify([one, one]), rule('signature'))
    throws(() => verify([one, four]), rule('signature'))
    throws(() => verify([one, { ...createSigningKey('k2') }]), rule('signature'))
  })

  it('does not take a signature that was made for something else', () => {
    const { signatures } = JSON.parse(first.signature.toString()) as { signatures: { kid: string; sig: string }[] }
    throws(() => verifyIndex(first.root, { signatures }, parseRootFile(first.root)), rule('signature'))
  })

  it('is followed over several rotations from any root before', () => {
    const third = rotateRoot(second, { created: created, keys: [four] }, [two, four])
    for (const from of [pinned, rootFingerprint(second.root), rootFingerprint(third.root), undefined])
      equal(verifyRoot(third, from).root.version, 3)
    deepEqual([verifyRoot(third, pinned).isRotated, verifyRoot(third).isRotated], [true, false])
  })

  it('is not followed to a root that the keys before did not sign', () => {
    const mine = createRoot({ created: created, keys: [four] }, [four])
    throws(() => verifyRoot(mine, pinned), rule('root_unknown'))
    const former = { root: first.root.toString('base64'), signatures: [] as unknown[] }
    const { signatures } = JSON.parse(first.signature.toString()) as { signatures: unknown[] }
    const forged = rotateRoot(mine, { created: created, keys: [four] }, [four])
    const own = JSON.parse(forged.signature.toString()) as { signatures: unknown[] }
    const signature = json({ signatures: own.signatures, previous: [{ ...former, signatures }] })
    throws(() => verifyRoot({ root: forged.root, signature }, pinned), rule('root_signature'))
  })

  it('is not rotated without enough keys of both', () => {
    const content = { created: created, keys: [three, four], threshold: 2 }
    for (const signers of [
      [one, two],
      [three, four],
      [one, three, one],
    ])
      throws(() => rotateRoot(first, content, signers), rule('root_signature'))
    const file = JSON.parse(second.signature.toString()) as { signatures: { kid: string }[] }
    const signature = json({ ...file, signatures: file.signatures.filter(({ kid }) => kid !== 'k4') })
    throws(() => verifyRoot({ root: second.root, signature }, pinned), rule('root_signature'))
  })

  it('does not skip a version', () => {
    const third = rotateRoot(second, { created: created, keys: [two, four] }, [two, four])
    const file = JSON.parse(third.signature.toString()) as { previous: unknown[] }
    const signature = json({ ...file, previous: file.previous.slice(0, 1) })
    throws(() => verifyRoot({ root: third.root, signature }, pinned), rule('root_version'))
  })

  it('is not made without its own keys', () => {
    throws(() => createRoot({ created: created, keys: [one] }, [two]), rule('root_signature'))
  })
})
