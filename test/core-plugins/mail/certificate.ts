import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

/** A certificate for `localhost` that nobody but who is told trusts. */
export interface TestCertificate extends AsyncDisposable {
  readonly key: string
  readonly cert: string
  /** For NODE_EXTRA_CA_CERTS. */
  readonly file: string
}

/** Makes one with openssl. */
export async function makeCertificate(): Promise<TestCertificate> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stoa-certificate-'))
  const [keyFile, file] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')]
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await promisify(execFile)('openssl', [...kind, ...names, '-keyout', keyFile, '-out', file])
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(file, 'utf8')])
  return { key, cert, file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
