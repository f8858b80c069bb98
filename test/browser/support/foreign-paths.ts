/** Paths that lead out of a plugin's own routes, or are none. */
export const foreignPaths = [
  ...['/../../../auth/me', '/..', '/.', '/a/../b', '/%2e%2e/x', '/.%2e/x', '/%2E%2E/x', '//evil.example/x', '/a//b'],
  ...[
    '/a%2fb',
    '/a%2Fb',
    '/a%5cb',
    '/a%5Cb',
    '/a\\b',
    '\\a',
    'a',
    '',
    '/a%00',
    '/a?x=1',
    '/a#b',
    '/a b',
    '/ä',
    '/%',
    '/%zz',
  ],
  ...['http://evil.example/', 'https:/a', 'javascript:alert(1)', '/a\n', '/a\t', `/${'a'.repeat(2000)}`],
]
