/** What the registry shows of the command line. */
export const cliReadme = `# @stoa/cli

The command line for authors, publishers and keepers of plugins of Stoa. It needs Linux and Node 20 or later, and no checkout of the platform.

\`\`\`sh
npm install @stoa/cli @stoa/plugin-sdk
npx @stoa/cli create you.hello
cd you-hello
npm install
npm test
npm run dev
\`\`\`

\`npx @stoa/cli help\` lists the commands, \`npx @stoa/cli help <command>\` tells more of one.
`

/** What the registry shows of the SDK. */
export const sdkReadme = `# @stoa/plugin-sdk

What plugins of Stoa are written with.

| import                     | gives                                                               |
| -------------------------- | ------------------------------------------------------------------- |
| \`@stoa/plugin-sdk\`         | \`definePlugin\`, \`PluginError\`, and the types of all a plugin gets   |
| \`@stoa/plugin-sdk/testing\` | \`loadPlugin\`: the plugin in a real sandbox, for its tests           |
| \`@stoa/plugin-sdk/ui\`      | \`connect\`: from a page of the plugin to the console and its routes  |
| \`manifest.schema.json\`     | what a manifest may say, for editors                                |

\`npx @stoa/cli create you.hello\` makes a plugin that uses it.
`
