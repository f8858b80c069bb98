import type { Fence } from '../mutation.ts'

const compiled = 'test/sandbox/statement-fence.test.ts'
const fence = 'test/sandbox/capabilities-database-fence.test.ts'
const database = 'test/sandbox/capabilities-database.test.ts'
const sizes = 'test/sandbox/table-sizes.test.ts'
const select = 'sandbox/broker/database/compile-select.ts'
const write = 'sandbox/broker/database/compile-write.ts'

/** What a plugin says in its statements stays within its tables, its tenant and its limits. */
export const statements: Fence = {
  name: 'statements',
  mutations: [
    {
      name: 'join-without-its-tenant',
      file: select,
      before: ' on ${condition} and ${quote(short)}."tenant_id" = ${quote(names.main)}."tenant_id"`',
      after: ' on ${condition}`',
      tests: [compiled],
      why: 'Where the platform reads for all, rows of two tenants meet.',
    },
    {
      name: 'select-without-its-tenant',
      file: select,
      before: 'return tenantId === undefined ? [] : [',
      after: 'return tenantId === undefined || tenantId > 0 ? [] : [',
      tests: [compiled],
      why: 'Row-level security alone is left.',
    },
    {
      name: 'write-without-its-tenant',
      file: write,
      before: 'const pieces = [own, ...compileConditions(',
      after: 'void own\n  const pieces = [...compileConditions(',
      tests: [compiled],
      why: 'The same for updates and deletions.',
    },
    {
      name: 'row-of-another-tenant',
      file: write,
      before: 'if (item === tenantId) return false',
      after: "if (typeof item === 'number') return false",
      tests: [fence, database],
      why: 'A row that names another tenant is written as if it had not.',
    },
    {
      name: 'upsert-key-without-its-tenant',
      file: write,
      before: "['tenant_id', ...keys].map(quote).join(', ')\n  // Without",
      after: "keys.map(quote).join(', ')\n  // Without",
      tests: [database, compiled],
      why: 'An upsert meets the row of another tenant.',
    },
    {
      name: 'alias-of-any-form',
      file: 'sandbox/broker/database/statement-names.ts',
      before: "if (typeof name === 'string' && identifier.test(name)) return name",
      after: "if (typeof name === 'string') return name",
      tests: [fence, compiled],
      why: 'One of two checks on what an author may write between quotes.',
    },
    {
      name: 'quoted-name-of-any-form',
      file: 'sandbox/broker/database/statement-names.ts',
      before: 'if (!/^[a-z][a-z0-9_.]{0,127}$/.test(name)) throw',
      after: "if (name === '') throw",
      tests: [compiled],
      why: 'The other one.',
    },
    {
      name: 'table-twice-in-a-statement',
      file: 'sandbox/broker/database/statement-names.ts',
      before: 'if (this.#used.has(name))',
      after: 'if (this.#used.size > 99)',
      tests: [fence, compiled],
      why: 'A second table takes the name, and with it the columns, of the first.',
    },
    {
      name: 'select-limit-of-the-author',
      file: select,
      before: 'const limit = Math.min(',
      after: 'const limit = Math.max(',
      tests: [database, compiled],
      why: 'More rows than a plugin may read.',
    },
    {
      name: 'select-one-join-more',
      file: select,
      before: 'const maxJoins = 4',
      after: 'const maxJoins = 5',
      tests: [compiled],
      why: 'Each further join multiplies the work of the server.',
    },
    {
      name: 'select-any-offset',
      file: select,
      before: "integerOf(statement, 'offset', maxOffset)",
      after: "integerOf(statement, 'offset', Infinity)",
      tests: [compiled, fence],
      why: 'The server counts rows for minutes.',
    },
    {
      name: 'insert-too-many-values',
      file: write,
      before: 'if (rows.length * (columns.length + 1) > maxBindings)',
      after: 'if (columns.length > maxBindings)',
      tests: [compiled],
      why: 'One statement with a million values.',
    },
    {
      name: 'role-keeps-a-table',
      file: 'sandbox/broker/database/plugin-role.ts',
      before: 'for (const table of held.filter((name) => !wanted.includes(name))) await revoke(trx, role, table)\n',
      after: 'void held\n',
      tests: ['test/sandbox/plugin-role.test.ts'],
      why: 'A plugin keeps a table that its new release does not have.',
    },
    {
      name: 'role-inherits',
      file: 'sandbox/broker/database/plugin-role.ts',
      before: 'login noinherit nocreaterole',
      after: 'login inherit createrole',
      tests: [fence, 'test/sandbox/plugin-role.test.ts'],
      why: 'The role of a plugin makes roles.',
    },
    {
      name: 'rows-inserted-uncounted',
      file: 'sandbox/broker/database/table-sizes.ts',
      before: '(sizes.rows.get(table) ?? 0) + count)',
      after: '(sizes.rows.get(table) ?? 0) + 0 * count)',
      tests: [sizes],
      why: 'A plugin fills the disk between two looks at its tables.',
    },
    {
      name: 'tables-one-by-one',
      file: 'sandbox/broker/database/table-sizes.ts',
      before: 'rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)',
      after: 'rows.reduce((sum, { bytes }) => Math.max(sum, Number(bytes)), 0)',
      tests: [sizes],
      why: 'A plugin has as much room in each of its tables as in all.',
    },
  ],
}
