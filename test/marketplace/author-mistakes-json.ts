import type { Mistake } from './author-mistake.ts'

const manifest = 'manifest.json'

function inManifest(from: string, to: string, line: string, says: RegExp): Mistake {
  return { file: manifest, from, to, at: [manifest, line], says }
}

/** What is no JSON in a manifest, and what a test has of other types. */
export const jsonMistakes: Readonly<Record<string, Mistake>> = {
  'a comma too many': inManifest(
    '"publisher": "acme",',
    '"publisher": "acme",,',
    '"publisher"',
    /JSON: column 23 has ',', and should have a name in double quotes\./,
  ),
  'a name without quotes': inManifest(
    '"version":',
    'version:',
    'version:',
    /column 3 has 'version', .* a name in double/,
  ),
  'a value that is none': inManifest('"0.1.0"', 'latest', 'latest', /column 14 has 'latest', .* a value/),
  'a comma too few': inManifest(
    '"publisher": "acme",',
    '"publisher": "acme"',
    '"title"',
    /column 3 has '"', .* ',' or '}'/,
  ),
  'a text without an end': inManifest(
    '"publisher": "acme",',
    '"publisher": "acme,',
    '"publisher"',
    /column 16 has '"',/,
  ),
  'a test of other types': {
    file: 'test/typed.test.ts',
    to: "import { equal } from 'node:assert/strict'\nit('adds', () => {\n  const sum: number = 'two'\n  equal(sum, 2)\n})\n",
    at: ['test/typed.test.ts', 'const sum'],
    says: /not assignable to type 'number'/,
  },
}
