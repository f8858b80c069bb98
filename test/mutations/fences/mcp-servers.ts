import type { Fence } from '../mutation.ts'

const servers = 'test/core-plugins/mcp/servers.test.ts'
const chat = 'test/core-plugins/mcp/chat.test.ts'
const strangers = 'test/core-plugins/mcp/strangers.test.ts'

/** A server of tools is used as it was approved, with secrets that go nowhere else. */
export const mcpServers: Fence = {
  name: 'mcp-servers',
  mutations: [
    {
      name: 'mcp-changed-tool-on',
      file: 'core-plugins/mcp/tools/tool-state.ts',
      before: "tool.approvedHash === tool.hash ? 'on' : 'changed'",
      after: "tool.approvedHash !== '' ? 'on' : 'changed'",
      tests: [servers],
      why: 'A server has its tools approved, and makes them others.',
    },
    {
      name: 'mcp-approved-when-it-comes',
      file: 'core-plugins/mcp/use/pin-tools.ts',
      before: 'before.allowed && before.hash === null && before.approvedHash === null && unfit === null',
      after: 'before.allowed && before.approvedHash === null && unfit === null',
      tests: ['test/core-plugins/mcp/trials.test.ts'],
      why: 'A tool that waits for somebody is approved by another look.',
    },
    {
      name: 'mcp-called-unlooked',
      file: 'core-plugins/mcp/use/tool-calls.ts',
      before: '    await looker.demandFresh(server, freshMs)\n',
      after: '',
      tests: [chat],
      why: 'A tool is called that became another one an hour ago.',
    },
    {
      name: 'mcp-called-as-another',
      file: 'core-plugins/mcp/use/tool-calls.ts',
      before: ' || tool.approvedHash !== approvedHash)',
      after: ')',
      tests: ['test/core-plugins/mcp/offered.test.ts'],
      why: 'A run calls what was approved after it was told of another tool.',
    },
    {
      name: 'mcp-secret-to-another-place',
      file: 'core-plugins/mcp/servers/rules.ts',
      before: 'change[row.field] === undefined && row.boundTo !== destinationOf(row.field, after)',
      after: "change[row.field] === undefined && row.boundTo === ''",
      tests: [servers],
      why: 'Who may change an address has the secrets sent to it.',
    },
    {
      name: 'mcp-left-secret-kept',
      file: 'core-plugins/mcp/servers/service.ts',
      before: 'const change = { ...leftSecrets(sealed, columns.auth), ...secretsOf(wish) }',
      after: 'const change = { ...secretsOf(wish) }',
      tests: [servers],
      why: 'A token that was taken back is used again.',
    },
    {
      name: 'mcp-servers-of-anybody',
      file: 'core-plugins/mcp/use/tool-calls.ts',
      before: "    .whereIn('tenant_id', [0, tenantId])\n",
      after: '',
      tests: [chat],
      why: 'Agents call the servers of another tenant, with its secrets.',
    },
    {
      name: 'mcp-in-the-clear',
      file: 'core-plugins/mcp/servers/where-to.ts',
      before: "const isClear = url.protocol === 'http:' && !",
      after: "const isClear = url.protocol === 'ftp:' && !",
      tests: [servers],
      why: 'Secrets go over the internet in the clear.',
    },
    {
      name: 'mcp-schema-from-elsewhere',
      file: 'core-plugins/mcp/tools/read-tool.ts',
      before: "  if (pointsElsewhere(schema)) return 'Its schema points to another place'\n",
      after: '',
      tests: [strangers],
      why: 'A schema that is approved is changed at its address.',
    },
    {
      name: 'mcp-two-of-one-name',
      file: 'core-plugins/mcp/tools/list-tools.ts',
      before: "found.has(tool.name) ? { ...tool, unfit: 'Its name is there twice' } : tool",
      after: 'tool',
      tests: [strangers],
      why: 'A server shows one tool and is called for another of its name.',
    },
    {
      name: 'mcp-tools-without-number',
      file: 'core-plugins/mcp/tools/list-tools.ts',
      before: 'found.size < mostTools ?',
      after: 'found.size < mostTools * 1_000 ?',
      tests: [strangers],
      why: 'A server fills the database with tools.',
    },
    {
      name: 'mcp-server-without-rest',
      file: 'core-plugins/mcp/use/peer-book.ts',
      before: 'known.busy >= mostAtOnce',
      after: 'known.busy >= mostAtOnce * 1_000',
      tests: [strangers],
      why: 'One slow server holds all connections of a host.',
    },
    {
      name: 'mcp-words-in-the-log',
      file: 'core-plugins/mcp/servers/audited.ts',
      before:
        'return {\n    ...rest,\n    tools: told.map(({ name, state, effect, confirm, approved_hash }) => ({\n      name,\n      state,\n      effect,\n      confirm,\n      approved_hash,\n    })),',
      after: 'return {\n    ...rest,\n    tools: told.map((tool) => ({ ...tool })),',
      tests: [servers],
      why: 'Strangers write into the log of a tenant.',
    },
    {
      name: 'mcp-short-secret-shown',
      file: 'core-plugins/mcp/use/server-secrets.ts',
      before: "text.length < longEnough ? '…' :",
      after: "text.length < 0 ? '…' :",
      tests: [servers],
      why: 'A PIN is shown whole as its own hint.',
    },
    {
      name: 'mcp-token-of-another-version',
      file: 'core-plugins/mcp/use/peer-book.ts',
      before: 'const holder = `${server.id} ${String(server.version)}`',
      after: 'const holder = server.id',
      tests: [servers],
      why: 'The token of one address is sent to the next.',
    },
  ],
}
