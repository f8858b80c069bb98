import type { Fence } from '../mutation.ts'

const door = 'test/core-plugins/mcp/door.test.ts'
const strangers = 'test/core-plugins/mcp/strangers.test.ts'

/** Clients of the protocol call what their credential lets them. */
export const mcpDoor: Fence = {
  name: 'mcp-door',
  mutations: [
    {
      name: 'mcp-door-of-a-closed-tenant',
      file: 'core-plugins/mcp/door/caller.ts',
      before: "tenant?.status !== 'active'",
      after: '!tenant',
      tests: [door],
      why: 'Keys of a tenant that is closed go on.',
    },
    {
      name: 'mcp-door-without-ai',
      file: 'core-plugins/mcp/door/caller.ts',
      before: '      await this.#parts.gateway.demandOpen(caller.tenant.id)\n      this.#checked',
      after: '      this.#checked',
      tests: [door],
      why: 'Tools are called where AI is switched off.',
    },
    {
      name: 'mcp-door-for-any-page',
      file: 'core-plugins/mcp/door/door.ts',
      before: '!(await origins.allowed(origin))',
      after: '!origins',
      tests: [door],
      why: 'Any page calls tools by the browser of a user.',
    },
    {
      name: 'mcp-door-without-rate',
      file: 'core-plugins/mcp/door/door.ts',
      before: '    if (allowed) return\n',
      after: '    if (allowed || !allowed) return\n',
      tests: [strangers],
      why: 'One caller asks as often as one likes.',
    },
    {
      name: 'mcp-door-agents-of-a-key',
      file: 'core-plugins/mcp/door/offers.ts',
      before: '.filter(({ code }) => isListed(key?.agents ?? [], code))',
      after: '',
      tests: [door],
      why: 'A key asks agents that its list does not name.',
    },
    {
      name: 'mcp-door-tools-of-a-key',
      file: 'core-plugins/mcp/door/offers.ts',
      before: 'isListed(key?.tools ?? [], name)',
      after: 'isListed([], name)',
      tests: [door],
      why: 'A key calls tools that its list does not name.',
    },
    {
      name: 'mcp-door-pattern-overlaps',
      file: 'core-plugins/mcp/door/pattern.ts',
      before: 'name.length - last.length >= at && name.endsWith(last)',
      after: 'name.endsWith(last)',
      tests: [strangers],
      why: 'A key’s list names more than it says.',
    },
    {
      name: 'mcp-door-session-of-anybody',
      file: 'core-plugins/mcp/door/sessions.ts',
      before: '    if (session?.caller !== caller) return undefined\n    await',
      after: '    if (!session) return undefined\n    await',
      tests: ['test/core-plugins/mcp/door-sessions.test.ts'],
      why: 'A session is used by who learns its name.',
    },
    {
      name: 'mcp-door-streams-without-number',
      file: 'core-plugins/mcp/door/listeners.ts',
      before: 'own >= mostOfOne || ',
      after: '',
      tests: [strangers],
      why: 'One caller takes the streams of all.',
    },
  ],
}
