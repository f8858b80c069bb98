import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'

/** When an identity token was made, in seconds from now, and how long it lives. */
interface Times {
  readonly issued?: number
  readonly lives?: number
}

/** A code host that signs identity tokens of its runs, and tells its keys by OpenID Connect Discovery. */
export interface TokenIssuer extends AsyncDisposable {
  readonly url: string
  /** What a run sends to be given a token. */
  readonly requestToken: string
  /** Where a run with these claims asks for a token. */
  requestUrl(claims: JWTPayload): string
  sign(claims: JWTPayload, times?: Times): Promise<string>
  signWithOther(claims: JWTPayload): Promise<string>
  signAsSecret(claims: JWTPayload): Promise<string>
  unsigned(claims: JWTPayload): Promise<string>
}

const kid = 'issuer-1'
const requestToken = 'the secret of a run'

/** What it says of itself, where that is not the truth, by the port that it listens on. */
type Told = (port: number) => { readonly issuer?: string; readonly jwks_uri?: string }

/** Starts one on loopback. */
export async function startTokenIssuer(told: Told = () => ({})): Promise<TokenIssuer> {
  const [own, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const publicKey = { ...(await exportJWK(own.publicKey)), kid, alg: 'RS256', use: 'sig' }
  const asked = new Map<string, JWTPayload>()
  const answer = async (request: IncomingMessage): Promise<object | undefined> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    if (pathname === '/.well-known/openid-configuration')
      return { issuer: url, jwks_uri: `${url}/keys`, ...told(Number(new URL(url).port)) }
    if (pathname === '/keys') return { keys: [publicKey] }
    const claims = asked.get(pathname)
    if (!claims || request.headers.authorization !== `Bearer ${requestToken}`) return undefined
    return { value: await sign({ ...claims, aud: searchParams.get('audience') ?? '' }) }
  }
  const server = createServer((request, response: ServerResponse) => {
    void answer(request).then((body) => {
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? {}))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const complete = (claims: JWTPayload, { issued = 0, lives = 300 }: Times = {}): JWTPayload => {
    const iat = Math.floor(Date.now() / 1_000) + issued
    return { iss: url, sub: 'a run', iat, exp: iat + lives, ...claims }
  }
  const sign = (claims: JWTPayload, times?: Times) =>
    new SignJWT(complete(claims, times)).setProtectedHeader({ alg: 'RS256', kid }).sign(own.privateKey)
  return {
    ...{ url, requestToken, sign },
    requestUrl(claims) {
      const path = `/run-${asked.size + 1}`
      asked.set(path, claims)
      return `${url}${path}?api=1`
    },
    signWithOther: (claims) =>
      new SignJWT(complete(claims)).setProtectedHeader({ alg: 'RS256', kid }).sign(other.privateKey),
    signAsSecret: async (claims) =>
      new SignJWT(complete(claims))
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(Buffer.from(await exportSPKI(own.publicKey))),
    unsigned: (claims) => Promise.resolve(new UnsecuredJWT(complete(claims)).encode()),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
