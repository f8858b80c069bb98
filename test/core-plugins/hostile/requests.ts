/** Requests as bytes, with what the answer must begin with. */
export const rawRequests: readonly (readonly [name: string, text: string, answer: RegExp])[] = [
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['no host', 'GET /api/public/health HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['huge headers', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 4(00|31) /],
  ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 4(00|04|14|31) /],
  [
    'two lengths',
    'POST /auth/login/json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} ',
    /^HTTP\/1\.1 400 /,
  ],
  [
    'a length and chunks',
    'POST /auth/login/json HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin/users HTTP/1.1\r\n\r\n',
    /^HTTP\/1\.1 400 /,
  ],
  [
    'a length below zero',
    'POST /auth/login/json HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    /^HTTP\/1\.1 400 /,
  ],
  [
    'chunks that lie',
    'POST /auth/login/json HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
    /^HTTP\/1\.1 400 /,
  ],
  ['a header in two lines', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n', /^HTTP\/1\.1 4/],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: b\0\r\n\r\n', /^HTTP\/1\.1 400 /],
]

/** Paths that mean another one to somebody who reads them twice. */
export const trickedPaths: readonly (readonly [path: string, code: number])[] = [
  ['//tenant/plugins/evil.attacker/api/ping', 4044],
  ['/tenant//plugins/evil.attacker/api/ping', 4044],
  ['/tenant/plugins/evil.attacker/api/ping/', 4044],
  ['/tenant/plugins/evil.attacker/api/PING', 4044],
  ['/tenant/plugins/evil.attacker/api/%70ing', 4044],
  ['/tenant/plugins/good.neighbour/api/%2e%2e/%2e%2e/evil.attacker/api/ping', 4044],
  ['/tenant/plugins/evil.attacker%2fapi/ping', 4044],
  ['/tenant/plugins/EVIL.attacker/api/ping', 4044],
  ['/api/public/../../admin/users', 4044],
  ['/api/public/..;/admin/users', 4044],
  ['/admin/users#/api/public', 4044],
  ['/tenant/plugins/evil.attacker/api/items/%', 4221],
  ['/tenant/plugins/evil.attacker/api/items/%00', 4221],
  ['/tenant/plugins/evil.attacker/api/items/%ff', 4221],
  ['/tenant/plugins/evil.attacker/api/ping?a=%ff', 4221],
]
