import type { Fence } from '../mutation.ts'

const ownTables = 'test/core-plugins/plugins/own-tables.test.ts'
const schema = 'test/core-plugins/plugins/upgrades-schema.test.ts'
const upgrades = 'test/core-plugins/plugins/upgrades.test.ts'
const consent = 'test/core-plugins/plugins/upgrades-consent.test.ts'
const removal = 'test/core-plugins/plugins/removal.test.ts'
const refusals = 'test/core-plugins/plugins/refusals.test.ts'

/** An upgrade is whole or not at all, gives no right unasked, and an uninstall leaves nothing. */
export const lifecycle: Fence = {
  name: 'lifecycle',
  mutations: [
    {
      name: 'migrations-outside-the-transaction',
      file: 'core-plugins/plugins/upgrades/switch-over.ts',
      before: 'await migrateOwnTables(trx, tables, parts.sandbox.services.rolePassword(name))',
      after:
        'await parts.db.transaction((own) => migrateOwnTables(own, tables, parts.sandbox.services.rolePassword(name)))',
      tests: [schema],
      why: 'An upgrade that fails later leaves the tables of the release that does not run.',
    },
    {
      name: 'migrations-one-by-one',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before:
        "    await applyMigration(trx, { id, steps, deadline, growth })\n    await trx('plugin_migrations').insert(",
      after:
        "    await applyMigration(trx, { id, steps, deadline, growth })\n    await trx.raw('commit')\n    await trx.raw('begin')\n    await trx('plugin_migrations').insert(",
      tests: [ownTables],
      why: 'The second migration fails, and the first one stays.',
    },
    {
      name: 'migrations-of-another-history',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before: '  requireSameHistory(applied, listed)\n',
      after: '  void requireSameHistory\n',
      tests: [schema],
      why: 'A release goes on from tables that are not what it thinks.',
    },
    {
      name: 'migrations-changed-since',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before: 'same?.id !== migration || (hash !== null && hash !== same.hash)',
      after: 'same?.id !== migration',
      tests: [schema],
      why: 'A migration that was applied is rewritten unnoticed.',
    },
    {
      name: 'migrations-tell-values',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before: "code.startsWith('22') ? message.replace",
      after: "code.startsWith('99') ? message.replace",
      tests: [ownTables],
      why: 'The error of a migration shows a tenant’s value to the author.',
    },
    {
      name: 'upgrade-to-an-older-release',
      file: 'core-plugins/plugins/consent/require-upgradable.ts',
      before: 'if (!semver.gt(target.version, active.version))',
      after: 'if (!semver.valid(target.version))',
      tests: [upgrades],
      why: 'A release with a known hole is brought back as an upgrade.',
    },
    {
      name: 'upgrade-of-another-plugin',
      file: 'core-plugins/plugins/consent/require-upgradable.ts',
      before: 'if (target.name !== name) throw',
      after: "if (target.name === '') throw",
      tests: [upgrades],
      why: 'Another plugin gets the tables and the rights.',
    },
    {
      name: 'upgrade-less-trusted',
      file: 'core-plugins/plugins/consent/require-upgradable.ts',
      before: 'if (isAtLeast(after, before)) return\n',
      after: 'if (isAtLeast(after, before) || after) return\n',
      tests: [upgrades, 'test/core-plugins/attack/lifecycle-releases.test.ts'],
      why: 'An unsigned release takes the place of a verified one.',
    },
    {
      name: 'upgrade-of-a-pinned-plugin',
      file: 'core-plugins/plugins/consent/require-upgradable.ts',
      before: 'if (pinned && !mayMovePin) throw',
      after: 'if (pinned && mayMovePin) throw',
      tests: [upgrades],
      why: 'What somebody held at a release moves.',
    },
    {
      name: 'consent-to-something-else',
      file: 'core-plugins/plugins/enabling/consent.ts',
      before: 'if (answer.releaseHash !== releaseHash || answer.diffHash !== diffHash) throw',
      after: 'if (answer.releaseHash !== releaseHash && answer.diffHash !== diffHash) throw',
      tests: ['test/core-plugins/plugins/plugins.test.ts', refusals],
      why: 'A yes to one list of rights counts for another.',
    },
    {
      name: 'consent-pending-something-else',
      file: 'core-plugins/plugins/upgrades/answer-pending.ts',
      before: 'if (consent.releaseHash !== releaseHash || consent.diffHash !== diffHash) throw',
      after: 'if (consent.releaseHash !== releaseHash) throw',
      tests: [consent],
      why: 'The same for an upgrade that waits.',
    },
    {
      name: 'twin-of-tables',
      file: 'core-plugins/plugins/releases/compatibility.ts',
      before: 'rows.find((row) => pluginHash8(row.name) === pluginHash8(name))?.name',
      after: 'rows.find((row) => row.name === name)?.name',
      tests: [refusals],
      why: 'A name that was searched for shares the tables of another plugin.',
    },
    {
      name: 'needed-and-removed',
      file: 'core-plugins/plugins/releases/compatibility.ts',
      before: 'if (rows.length > 0) throw new PluginRequiredError',
      after: 'if (rows.length > 99) throw new PluginRequiredError',
      tests: [removal],
      why: 'A plugin goes that another one needs.',
    },
    {
      name: 'roles-keep-its-permissions',
      file: 'core-plugins/plugins/removal/cleanup-steps.ts',
      before: 'operation.guarded((trx) => parts.access.removePermissions(`plugin.${name}:`, trx))',
      after: 'operation.guarded((trx) => Promise.resolve(trx && 0))',
      tests: [removal],
      why: 'A later plugin of the name finds roles that hold its permissions.',
    },
    {
      name: 'roles-lose-those-of-others',
      file: 'core-plugins/plugins/removal/cleanup-steps.ts',
      before: 'removePermissions(`plugin.${name}:`, trx)',
      after: 'removePermissions(`plugin.${name}`, trx)',
      tests: [removal],
      why: 'An uninstall of `acme.a` takes the rights to `acme.ab`.',
    },
    {
      name: 'settings-of-the-platform-stay',
      file: 'core-plugins/plugins/removal/cleanup-steps.ts',
      before: 'await parts.config.removeGroup(`plugin.${name}.platform`, trx)',
      after: 'await Promise.resolve(trx && 0)',
      tests: [removal],
      why: 'Secrets of an uninstalled plugin stay, for the next one of the name.',
    },
    {
      name: 'tables-stay',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before: "for (const table of tables) await trx.raw('drop table if exists ?? cascade', [table])\n",
      after: '',
      tests: [removal],
      why: 'The rows of every tenant outlive the plugin.',
    },
    {
      name: 'tables-of-others-go',
      file: 'core-plugins/plugins/tables/own-tables.ts',
      before: 'table.startsWith(`plg_${pluginHash8(name)}_`)',
      after: 'table.startsWith(`plg_${pluginHash8(name).slice(0, 0)}`)',
      tests: [removal],
      why: 'An uninstall drops the tables of every plugin.',
    },
    {
      name: 'event-wildcards-cover-more',
      file: 'core-plugins/access/roles/remove-permissions.ts',
      before: "where not starts_with(held, ?) order by place)'",
      after: "where starts_with(held, ?) order by place)'",
      tests: [removal, 'test/core-plugins/access/access.test.ts'],
      why: 'What should go stays, and what should stay goes.',
    },
    {
      name: 'official-by-anybody',
      file: 'core-plugins/plugin-index/publishers/service.ts',
      before: "if (publisher.level === 'official') requirePermission(actor, toTrustFully)\n",
      after: '',
      tests: ['test/core-plugins/plugin-index/trust.test.ts', 'test/core-plugins/attack/lifecycle-sources.test.ts'],
      why: 'Staff that may name publishers takes walls away.',
    },
    {
      name: 'site-key-of-a-publisher',
      file: 'core-plugins/plugin-index/publishers/service.ts',
      before: 'if (publisher.kid === siteKid || !isPublicKey(publisher.publicKey)) throw',
      after: 'if (!isPublicKey(publisher.publicKey)) throw',
      tests: ['test/core-plugins/plugin-index/trust.test.ts'],
      why: 'A publisher’s key passes for the site’s own.',
    },
    {
      name: 'revoked-and-started',
      file: 'core-plugins/plugin-index/judging/revocation-check.ts',
      before: "if (row?.action !== 'disable' || row.overriddenAt !== null || row.releaseHash !== treeHash) return",
      after: "if (row?.action !== 'disable' || row) return",
      tests: ['test/core-plugins/plugin-index/revocations.test.ts'],
      why: 'A revoked release is enabled again.',
    },
  ],
}
