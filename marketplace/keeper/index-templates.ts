import { marketplaceTexts } from '../texts/texts.ts'

/** Categories that a new index begins with. */
export const startingCategories = (
  ['ai', 'communication', 'integration', 'reporting', 'sample', 'security'] as const
).map((id) => ({ id, title: marketplaceTexts.of(`category.${id}`) }))

/** The README.md of a new index: how a plugin gets in. */
export function contributorGuide(title: string, fingerprint: string): string {
  return `# ${title.replace(/[\r\n]+/g, ' ')}

An index of plugins for Stoa: static files, each of them reached from \`index.json\`, which is signed. Any web server or code host can
serve it, and a folder will do.

Sites that add it as a source pin its root:

    ${fingerprint}

## Publish a plugin

1. Make a key once, and ask the keeper of this index to register its public half: \`stoa keygen <publisher>-2026a\`.
2. Pack and sign: \`stoa pack <folder> --sign <publisher>-2026a.key.json\`.
3. In a branch of this repository: \`stoa publish <package> --index .\`. It refuses what the check would refuse, and writes below \`p/\` only.
4. Open a pull request. The check answers with what the release may do that the one before could not.

A version that is published never changes. What is wrong with it is mended by the next one; the keeper can yank it or revoke it.

## Keep it

    stoa index check . --base <folder of the main branch>
    stoa index build . --key <key file>

Build after every merge and at least once before \`expires\` of \`index.json\`. The private key belongs into no repository.
`
}

/** A job of a code host that checks a pull request; what it runs is the same anywhere. */
export const continuousCheck = `name: check
on: pull_request
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with: { path: head }
      - uses: actions/checkout@v4
        with: { path: base, ref: '\${{ github.base_ref }}' }
      # A checkout of Stoa stands in ./stoa: name the repository and the release that your index is kept with.
      - uses: actions/checkout@v4
        with: { path: stoa, repository: '\${{ vars.STOA_REPOSITORY }}', ref: '\${{ vars.STOA_RELEASE }}' }
      - run: npm ci
        working-directory: stoa
      - run: node stoa/marketplace/bin/stoa.js index check head --base base --markdown >>"$GITHUB_STEP_SUMMARY"
`
