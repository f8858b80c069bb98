/** URLs that a plugin which was granted `api.example.test` on port 443 and 8443 must not get anywhere with. */
export const ungrantedUrls = [
  ...[
    'http://api.example.test/',
    'https://api.example.test:444/',
    'https://example.test/',
    'https://xapi.example.test/',
  ],
  ...[
    'https://api.example.test.evil.test/',
    'https://evil.test/?x=api.example.test',
    'https://evil.test/#api.example.test',
  ],
  ...['https://evil.test/api.example.test', 'https://api.example.test.:443/', 'https://api.example.test%00.evil.test/'],
  ...['https://evil.test\\.api.example.test/', 'https://a.api.example.test/'],
  ...[
    'https://api-example.test/',
    'https://api.example.tes/',
    'https://apiXexample.test/',
    'https://[::1]/',
    'https://127.0.0.1/',
  ],
  ...['https://evil.test:443\\api.example.test/', 'https://аpi.example.test/', 'https://api.example.test@evil.test/'],
  ...[
    'https://user@api.example.test/',
    'https://user:pw@api.example.test/',
    'https://:@evil.test/',
    'ftp://api.example.test/',
  ],
  ...[
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://api.example.test/',
    'gopher://api.example.test/',
  ],
  ...[
    '//api.example.test/',
    'api.example.test',
    '',
    ' ',
    'https://',
    'https:///',
    'https://api.example.test:99999/',
    'blob:https://api.example.test/x',
  ],
]
